// Runs in a page before Tab is pressed; returns how many elements should get the focus.
const told = (element) => (element.textContent || element.value || element.getAttribute('aria-label')
  || element.tagName).trim().slice(0, 40);
const groups = new Set();
const wanted = [...document.querySelectorAll(
  'a[href], button, input:not([type=hidden]), select, textarea, summary, [tabindex="0"]',
)].filter((one) => {
  if (one.disabled || one.tabIndex < 0 || !one.checkVisibility({visibilityProperty: true})) { return false; }
  if (one.type !== 'radio') { return true; }
  if (groups.has(one.name)) { return false; }  // arrows move inside a group
  groups.add(one.name);
  return true;
});
const reached = [];
const hidden = new Set();
document.addEventListener('focusin', (event) => {
  const one = event.target;
  reached.push(one);
  const style = getComputedStyle(one);
  const drawn = one.querySelector && one.querySelector('rect');
  const outlined = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0;
  const box = one.getBoundingClientRect();
  if (!(outlined || drawn) || box.width < 1 || box.height < 1 || box.right <= 0) { hidden.add(told(one)); }
});
document.activeElement?.blur();
window.focusFaults = () => {
  const seen = new Set(reached);
  const faults = [];
  const missed = wanted.filter((one) => !seen.has(one)
    && !(one.type === 'radio' && reached.some((other) => other.name === one.name)));
  if (missed.length) { faults.push('Tab does not reach ' + missed.length + ': ' + missed.slice(0, 3).map(told).join('; ')); }
  if (hidden.size) { faults.push('focus is not seen: ' + [...hidden].slice(0, 3).join('; ')); }
  if (reached.length && !(reached[0].classList.contains('skip') || document.querySelectorAll('a.skip').length === 0)) {
    faults.push('the first stop does not skip to the content');
  }
  return faults;
};
return wanted.length;
