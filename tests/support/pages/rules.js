// Runs in a page; arguments: whether a phone's, the smallest target in pixels, the least contrast.
const phone = arguments[0], target = arguments[1], least = arguments[2];
const found = [];
const root = document.documentElement;
const shown = (element) => {
  const box = element.getBoundingClientRect();
  return box.width > 1 && box.height > 1 && element.checkVisibility({visibilityProperty: true});
};
const told = (element) => (element.textContent || element.value || element.tagName).trim().slice(0, 40);
if (root.scrollWidth > root.clientWidth) {
  const wide = [...document.body.querySelectorAll('*')].filter(
    (one) => one.getBoundingClientRect().right > root.clientWidth + 1 && !one.closest('.scroll'));
  found.push('wider than the window: ' + root.scrollWidth + ', ' + wide.slice(-3).map(told).join('; '));
}
// Colours: what a text is painted with, and on.
const parsed = new Map();
const colour = (text) => {
  if (!parsed.has(text)) {
    const parts = text.match(/[\d.]+/g).map(Number);
    parsed.set(text, parts.length > 3 ? parts : [...parts.slice(0, 3), 1]);
  }
  return parsed.get(text);
};
const light = ([r, g, b]) => {
  const part = (v) => (v /= 255) <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  return 0.2126 * part(r) + 0.7152 * part(g) + 0.0722 * part(b);
};
const over = (top, below) => [0, 1, 2].map((i) => top[i] * top[3] + below[i] * (1 - top[3])).concat(1);
const canvas = matchMedia('(prefers-color-scheme: dark)').matches
  && getComputedStyle(root).colorScheme.includes('dark') ? [18, 18, 18, 1] : [255, 255, 255, 1];
const painted = new Map();
const ground = (element) => {
  if (!element) { return canvas; }
  if (!painted.has(element)) {
    let below = ground(element.parentElement);
    if (element.tagName.toLowerCase() === 'svg') {
      const whole = element.querySelector(':scope > rect');
      if (whole && whole.getAttribute('width') === '100%') {
        const fill = getComputedStyle(whole).fill;
        if (fill !== 'none') { below = over(colour(fill), below); }
      }
    } else {
      below = over(colour(getComputedStyle(element).backgroundColor), below);
    }
    if (element.tagName === 'a' && element.querySelector('rect')) {
      below = over(colour(getComputedStyle(element.querySelector('rect')).fill), below);
    }
    painted.set(element, below);
  }
  return painted.get(element);
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
  if (contrast < least && Number(style.opacity) > 0) {
    faint.set(ink + ' on ' + below, contrast.toFixed(2) + ' ' + told(element));
  }
}
for (const [pair, what] of faint) { found.push('hard to read: ' + pair + ', ' + what); }
// A finger: links and buttons that stand by themselves, not inside a sentence.
if (phone) {
  const small = [...document.querySelectorAll('a[href], button, summary, input, select')].filter((one) => {
    if (!shown(one) || one.closest('svg') || one.type === 'hidden') { return false; }
    const alone = [...one.parentElement.childNodes].every((node) => node === one
      || (node.nodeType === 3 && !node.data.trim()) || (node.nodeType === 1 && !node.textContent.trim())
      || node.nodeType === 8);
    const box = one.getBoundingClientRect();
    return (alone || one.tagName !== 'A') && Math.min(box.width, box.height) < target
      && !(one.type === 'checkbox' || one.type === 'radio') && !one.classList.contains('skip');
  });
  for (const one of small.slice(0, 3)) {
    const box = one.getBoundingClientRect();
    found.push('too small to touch: ' + told(one) + ' ' + box.width.toFixed(0) + ' x ' + box.height.toFixed(0));
  }
}
// Labels that stand on each other, inside a drawing.
for (const drawing of document.querySelectorAll('svg')) {
  const boxes = [...drawing.querySelectorAll('text:not([transform])')].filter(shown)
    .map((one) => [one.getBoundingClientRect(), told(one)]);
  boxes.forEach(([a, one], at) => boxes.slice(at + 1).forEach(([b, other]) => {
    const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left);
    const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
    if (wide > 2 && high > 4) { found.push('labels meet: ' + one + ' / ' + other); }
  }));
}
// Pictures have a name and letters that can be read, also those that are folded.
const folded = [...document.querySelectorAll('details:not([open])')];
folded.forEach((one) => { one.open = true; });
for (const picture of document.querySelectorAll('svg, img')) {
  const name = picture.getAttribute('aria-label') || picture.getAttribute('alt')
    || picture.querySelector(':scope > title')?.textContent;
  const role = picture.tagName === 'IMG' || picture.getAttribute('role');
  if (!role || !name?.trim()) { found.push('a picture without a name'); }
}
for (const text of document.querySelectorAll('svg text')) {
  const turn = text.getScreenCTM();
  const size = parseFloat(getComputedStyle(text).fontSize) * Math.hypot(turn.a, turn.b);
  if (shown(text) && size < 10.95) { found.push('small letters: ' + size.toFixed(1) + ' ' + told(text)); break; }
}
folded.forEach((one) => { one.open = false; });
const h1 = document.querySelectorAll('h1');
if (h1.length !== 1 || !h1[0].textContent.trim()) { found.push(h1.length + ' first headings'); }
if (!document.title.trim()) { found.push('no title'); }
const meta = (name) => document.querySelector(name)?.content || '';
if (meta('meta[name=description]').length < 20) { found.push('no description'); }
if (root.lang !== 'en') { found.push('no language'); }
const ids = [...document.querySelectorAll('[id]')].map((one) => one.id);
if (new Set(ids).size !== ids.length) { found.push('an id twice'); }
for (const link of document.querySelectorAll('a[href^="#"]')) {
  const to = decodeURIComponent(link.getAttribute('href').slice(1));
  if (to && !document.getElementById(to)) { found.push('leads nowhere: #' + to); }
}
for (const section of document.querySelectorAll('main section')) {
  if ([...section.children].every((one) => /^H\d$/.test(one.tagName))) { found.push('empty: ' + told(section)); }
}
// Texts that run over their neighbours.
for (const cell of document.querySelectorAll('td, th, dd, dt, li, p, summary')) {
  if (shown(cell) && cell.scrollWidth > cell.clientWidth + 2 && getComputedStyle(cell).display !== 'inline'
      && !cell.closest('nav') && getComputedStyle(cell).overflowX === 'visible') {
    found.push('runs over: ' + told(cell));
    break;
  }
}
// On a long page what leads elsewhere stays in sight.
if (location.protocol === 'file:' && root.scrollHeight > 3 * innerHeight) {
  scrollTo(0, root.scrollHeight);
  const seen = [...document.querySelectorAll('nav')].some((one) => {
    const box = one.getBoundingClientRect();
    return box.height > 0 && box.bottom > 0 && box.top < innerHeight;
  });
  if (!seen) { found.push('the contents go out of sight'); }
  scrollTo(0, 0);
}
return found;
