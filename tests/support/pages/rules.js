// Runs in a page. Arguments: whether the view is a phone's, the smallest target in pixels, and the
// least contrast.
const phone = arguments[0], target = arguments[1], minContrast = arguments[2];
const faults = [];
const root = document.documentElement;
const isVisible = (element) => {
  const box = element.getBoundingClientRect();
  return box.width > 1 && box.height > 1 && element.checkVisibility({visibilityProperty: true});
};
const labelOf = (element) => (element.textContent || element.value || element.tagName).trim().slice(0, 40);
if (root.scrollWidth > root.clientWidth) {
  const wide = [...document.body.querySelectorAll('*')].filter(
    (element) => element.getBoundingClientRect().right > root.clientWidth + 1 && !element.closest('.scroll'));
  faults.push('wider than the window: ' + root.scrollWidth + ', ' + wide.slice(-3).map(labelOf).join('; '));
}
// The colour of each text and the colour below it must have enough contrast.
const colours = new Map();
const colour = (text) => {
  if (!colours.has(text)) {
    const parts = text.match(/[\d.]+/g).map(Number);
    colours.set(text, parts.length > 3 ? parts : [...parts.slice(0, 3), 1]);
  }
  return colours.get(text);
};
const light = ([r, g, b]) => {
  const part = (v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
};
const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
const canvas = matchMedia('(prefers-color-scheme: dark)').matches
  && getComputedStyle(root).colorScheme.includes('dark') ? [18, 18, 18, 1] : [255, 255, 255, 1];
const grounds = new Map();
const ground = (element) => {
  if (!element) { return canvas; }
  if (!grounds.has(element)) {
    let below = ground(element.parentElement);
    if (element.tagName.toLowerCase() === 'svg') {
      const background = element.querySelector(':scope > rect');
      if (background && background.getAttribute('width') === '100%') {
        const fill = getComputedStyle(background).fill;
        if (fill !== 'none') { below = over(colour(fill), below); }
      }
    } else {
      below = over(colour(getComputedStyle(element).backgroundColor), below);
    }
    if (element.tagName === 'a' && element.querySelector('rect')) {
      below = over(colour(getComputedStyle(element.querySelector('rect')).fill), below);
    }
    grounds.set(element, below);
  }
  return grounds.get(element);
};
const faint = new Map();
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const element = walker.currentNode.parentElement;
  if (!walker.currentNode.data.trim() || !element.checkVisibility({visibilityProperty: true})) { continue; }
  if (['SCRIPT', 'STYLE', 'NOSCRIPT', 'OPTION', 'title', 'TEXTAREA'].includes(element.tagName)) { continue; }
  const style = getComputedStyle(element);
  const below = ground(element);
  const ink = over(colour(element.closest('svg') ? style.fill : style.color), below);
  const [high, low] = [light(ink), light(below)].sort((a, b) => b - a);
  const contrast = (high + 0.05) / (low + 0.05);
  if (contrast < minContrast && Number(style.opacity) > 0) {
    faint.set(ink + ' on ' + below, contrast.toFixed(2) + ' ' + labelOf(element));
  }
}
for (const [pair, what] of faint) { faults.push('hard to read: ' + pair + ', ' + what); }
// Links and buttons outside of sentences must be large enough for a finger.
if (phone) {
  const small = [...document.querySelectorAll('a[href], button, summary, input, select')].filter((element) => {
    if (!isVisible(element) || element.closest('svg') || element.type === 'hidden') { return false; }
    const alone = [...element.parentElement.childNodes].every((node) => node === element
      || (node.nodeType === 3 && !node.data.trim()) || (node.nodeType === 1 && !node.textContent.trim())
      || node.nodeType === 8);
    const box = element.getBoundingClientRect();
    return (alone || element.tagName !== 'A') && Math.min(box.width, box.height) < target
      && !(element.type === 'checkbox' || element.type === 'radio') && !element.classList.contains('skip');
  });
  for (const element of small.slice(0, 3)) {
    const box = element.getBoundingClientRect();
    faults.push('too small to touch: ' + labelOf(element) + ' ' + box.width.toFixed(0) + ' x ' + box.height.toFixed(0));
  }
}
// Labels inside a drawing must not overlap.
for (const drawing of document.querySelectorAll('svg')) {
  const boxes = [...drawing.querySelectorAll('text:not([transform])')].filter(isVisible)
    .map((element) => [element.getBoundingClientRect(), labelOf(element)]);
  boxes.forEach(([a, name], at) => boxes.slice(at + 1).forEach(([b, otherName]) => {
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (wide > 2 && high > 4) { faults.push('labels meet: ' + name + ' / ' + otherName); }
  }));
}
// Pictures must have a name and readable letters, also in folded parts.
const folded = [...document.querySelectorAll('details:not([open])')];
folded.forEach((element) => { element.open = true; });
for (const picture of document.querySelectorAll('svg, img')) {
  const name = picture.getAttribute('aria-label') || picture.getAttribute('alt')
    || picture.querySelector(':scope > title')?.textContent;
  const role = picture.tagName === 'IMG' || picture.getAttribute('role');
  if (!role || !name?.trim()) { faults.push('a picture without a name'); }
}
for (const text of document.querySelectorAll('svg text')) {
  const turn = text.getScreenCTM();
  const size = parseFloat(getComputedStyle(text).fontSize) * Math.hypot(turn.a, turn.b);
  if (isVisible(text) && size < 10.95) { faults.push('small letters: ' + size.toFixed(1) + ' ' + labelOf(text)); break; }
}
folded.forEach((element) => { element.open = false; });
const h1 = document.querySelectorAll('h1');
if (h1.length !== 1 || !h1[0].textContent.trim()) { faults.push(h1.length + ' first headings'); }
if (!document.title.trim()) { faults.push('no title'); }
const meta = (name) => document.querySelector(name)?.content || '';
if (meta('meta[name=description]').length < 20) { faults.push('no description'); }
if (root.lang !== 'en') { faults.push('no language'); }
const ids = [...document.querySelectorAll('[id]')].map((element) => element.id);
if (new Set(ids).size !== ids.length) { faults.push('an id twice'); }
for (const link of document.querySelectorAll('a[href^="#"]')) {
  const to = decodeURIComponent(link.getAttribute('href').slice(1));
  if (to && !document.getElementById(to)) { faults.push('leads nowhere: #' + to); }
}
for (const section of document.querySelectorAll('main section')) {
  if ([...section.children].every((element) => /^H\d$/.test(element.tagName))) { faults.push('empty: ' + labelOf(section)); }
}
// Texts must not overflow their boxes.
for (const cell of document.querySelectorAll('td, th, dd, dt, li, p, summary')) {
  if (isVisible(cell) && cell.scrollWidth > cell.clientWidth + 2 && getComputedStyle(cell).display !== 'inline'
      && !cell.closest('nav') && getComputedStyle(cell).overflowX === 'visible') {
    faults.push('runs over: ' + labelOf(cell));
    break;
  }
}
// On a long page the navigation must stay visible.
if (location.protocol === 'file:' && root.scrollHeight > 3 * innerHeight) {
  scrollTo(0, root.scrollHeight);
  const navVisible = [...document.querySelectorAll('nav')].some((element) => {
    const box = element.getBoundingClientRect();
    return box.height > 0 && box.bottom > 0 && box.top < innerHeight;
  });
  if (!navVisible) { faults.push('the contents go out of sight'); }
  scrollTo(0, 0);
}
return faults;
