// Runs in a page before Tab is pressed, and returns the number of elements that should get the focus.
const labelOf = (element) => (element.textContent || element.value || element.getAttribute('aria-label')
  || element.tagName).trim().slice(0, 40);
const groups = new Set();
const focusable = [...document.querySelectorAll(
  'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]',
)].filter((element) => {
  if (element.disabled || element.tabIndex < 0 || !element.checkVisibility({visibilityProperty: true})) { return false; }
  if (element.type !== 'radio') { return true; }
  if (groups.has(element.name)) { return false; }  // arrow keys move inside a group
  groups.add(element.name);
  return true;
});
const reached = [];
const hidden = new Set();
document.addEventListener('focusin', (event) => {
  const element = event.target;
  reached.push(element);
  const style = getComputedStyle(element);
  const picture = element.querySelector && element.querySelector('rect');
  const hasOutline = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0;
  const box = element.getBoundingClientRect();
  if (!(hasOutline || picture) || box.width < 1 || box.height < 1 || box.right <= 0) { hidden.add(labelOf(element)); }
});
document.activeElement?.blur();
window.focusFaults = () => {
  const reachedSet = new Set(reached);
  const faults = [];
  const missed = focusable.filter((element) => !reachedSet.has(element)
    && !(element.type === 'radio' && reached.some((button) => button.name === element.name)));
  if (missed.length) { faults.push('Tab does not reach ' + missed.length + ': ' + missed.slice(0, 3).map(labelOf).join('; ')); }
  if (hidden.size) { faults.push('focus is not seen: ' + [...hidden].slice(0, 3).join('; ')); }
  if (reached.length && !(reached[0].classList.contains('skip') || document.querySelectorAll('a.skip').length === 0)) {
    faults.push('the first stop does not skip to the content');
  }
  return faults;
};
return focusable.length;
