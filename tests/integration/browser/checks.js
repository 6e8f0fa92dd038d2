// What test_access.py asks of the page: each function returns what is wrong.
({
  /** Controls without a name. */
  nameless() {
    const controls = "button, a[href], input, select, textarea, [role=button], summary";
    return [...document.querySelectorAll(controls)]
      .filter(one => one.offsetParent !== null)
      .filter(one => !(one.getAttribute("aria-label") || one.labels?.length || one.textContent.trim()))
      .map(one => one.outerHTML);
  },

  /** References to ids that are not there. */
  broken() {
    const names = ["aria-labelledby", "aria-describedby", "aria-controls", "for"];
    return [...document.querySelectorAll(names.map(name => `[${name}]`).join())]
      .flatMap(one => names.map(name => one.getAttribute(name)))
      .filter(id => id && !document.getElementById(id));
  },

  /** Texts with too little contrast (WCAG 2.2, level AA), with the colours as they are composed. */
  contrasts() {
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const rgba = colour => {
      canvas.clearRect(0, 0, 1, 1);
      canvas.fillStyle = colour;
      canvas.fillRect(0, 0, 1, 1);
      return [...canvas.getImageData(0, 0, 1, 1).data];
    };
    const over = (top, under) => [0, 1, 2].map(part => (top[part] * top[3] + under[part] * (255 - top[3])) / 255);
    const linear = value => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4);
    const luminance = ([red, green, blue]) =>
      0.2126 * linear(red / 255) + 0.7152 * linear(green / 255) + 0.0722 * linear(blue / 255);
    const behind = one => {
      const layers = [];
      for (let place = one; place; place = place.parentElement) layers.push(rgba(getComputedStyle(place).backgroundColor));
      return layers.reverse().reduce((under, top) => over(top, under), [255, 255, 255]);
    };
    const found = [];
    for (const one of document.querySelectorAll("body *")) {
      const hasText = [...one.childNodes].some(node => node.nodeType === Node.TEXT_NODE && node.textContent.trim());
      const isLeftOut = one.closest(":disabled, .unseen, noscript, .skip, svg, option") || one.offsetParent === null;
      if (!hasText || isLeftOut) continue;
      const style = getComputedStyle(one);
      const ground = behind(one);
      const [high, low] = [luminance(over(rgba(style.color), ground)), luminance(ground)].sort((a, b) => b - a);
      const size = parseFloat(style.fontSize);
      const isLarge = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
      const ratio = (high + 0.05) / (low + 0.05);
      if (ratio < (isLarge ? 3 : 4.5)) found.push([ratio.toFixed(2), style.color, one.outerHTML.slice(0, 120)]);
    }
    return found;
  },
});
