// Zoom, search and keys of a flame graph. What the boxes say is only ever read and written as text.
(() => {
  "use strict";
  const svg = document.currentScript.closest("svg");
  const alone = svg === document.documentElement;
  const numbers = ["margin", "row", "letter", "padding", "whole"].map((key) => Number(svg.dataset[key]));
  const [margin, row, letter, padding, whole] = numbers;
  const height = svg.viewBox.baseVal.height;
  const details = svg.querySelector(".details");
  const groups = [...svg.querySelectorAll(".frames > g")];
  const top = Number(groups[0].querySelector("rect").getAttribute("y"));

  // The boxes stand in preorder; `end` is the first one that a box does not call.
  const path = [];
  const boxes = groups.map((g, at) => {
    const [title, rect, text] = g.children;
    const lines = title.textContent.split("\n");
    const { x, w, share, mark } = g.dataset;
    const depth = (Number(rect.getAttribute("y")) - top) / row;
    const box = { g, rect, text, lines, depth, at, x: Number(x), w: Number(w), share, shown: true };
    box.isRest = g.classList.contains("rest");
    box.isFrame = !box.isRest && !g.classList.contains("all");
    box.label = mark ? `${mark} ${lines[0]}` : lines[0];
    box.parent = path[depth - 1];
    for (const done of path.splice(depth)) done.end = at;
    path.push(box);
    return box;
  });
  for (const open of path) open.end = boxes.length;
  const boxOf = new Map(boxes.map((box) => [box.g, box]));
  const root = boxes[0];
  let zoomed = root, selected = root, hits = [], width = 0;

  // How many letters wide a text is, as the labels of the file itself are measured.
  const wide = /[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u;
  const cells = (sign) => (/\p{M}/u.test(sign) ? 0 : wide.test(sign) ? 2 : 1);
  const length = (text) => (/^[ -~]*$/.test(text) ? text.length : [...text].reduce((sum, sign) => sum + cells(sign), 0));

  function fitting(signs, room) {
    let kept = 0;
    while (kept < signs.length && (room -= cells(signs[kept])) >= 0) kept++;
    return kept;
  }

  function cut(text, room) {
    if (length(text) <= room) return text;
    const signs = [...text];
    // Nameless functions differ in their places, those without symbols in their addresses: both end the label.
    const ends = /^(. )?\((anon|anonymous)\) |(^|[ +!@`])0x[0-9a-fA-F]+$/u.test(text) ? Math.ceil(((room - 1) * 2) / 3) : 0;
    const head = signs.slice(0, fitting(signs, room - 1 - ends));
    const tail = ends ? signs.slice(signs.length - fitting([...signs].reverse(), ends)) : [];
    return `${head.join("")}…${tail.join("")}`;
  }

  function write(box, pixels) {
    const room = Math.floor((pixels - 2 * padding) / letter);
    const full = `${box.label}  ${box.share}`;
    const label = room < 3 ? "" : length(full) <= room ? full : cut(box.label, room);
    if (label === "" && !box.text) return;
    if (!box.text) {
      box.text = document.createElementNS(svg.namespaceURI, "text");
      box.text.setAttribute("y", top + box.depth * row + 12);
      box.g.append(box.text);
    }
    if (box.text.textContent !== label) box.text.textContent = label;
  }

  function layout() {
    const scale = (width - 2 * margin) / zoomed.w;
    const above = new Set();
    for (let box = zoomed.parent; box; box = box.parent) above.add(box);
    for (const box of boxes) {
      const isAbove = above.has(box);
      const inside = box.at >= zoomed.at && box.at < zoomed.end;
      const pixels = isAbove ? width - 2 * margin : box.w * scale;
      const x = isAbove ? margin : margin + (box.x - zoomed.x) * scale;
      box.shown = isAbove || inside;
      box.g.classList.toggle("above", isAbove);
      if (!box.shown) {
        box.g.setAttribute("display", "none");
        continue;
      }
      box.g.removeAttribute("display");
      box.rect.setAttribute("x", x.toFixed(2));
      box.rect.setAttribute("width", (pixels - (pixels > 1.5 ? 0.5 : 0)).toFixed(2));
      write(box, pixels);
      box.text?.setAttribute("x", (x + padding).toFixed(2));
    }
    reset.hidden = zoomed === root;
    mark();
  }

  function zoom(box) {
    zoomed = box.isRest ? box.parent : box;
    layout();
    describe(zoomed);
  }

  function describe(box) {
    details.textContent = cut(box.lines.join(" · "), Math.floor((width - 2 * margin) / letter));
  }

  // The frame around the box that the keys are on.
  function mark() {
    const focused = boxOf.get(document.activeElement);
    const visible = focused?.shown && focused.g.matches(":focus-visible");
    ring.setAttribute("display", visible ? "inline" : "none");
    if (!visible) return;
    for (const name of ["x", "y", "width", "height"]) ring.setAttribute(name, focused.rect.getAttribute(name));
  }

  function select(box) {
    if (!box?.shown) return;
    selected.g.setAttribute("tabindex", "-1");
    selected = box;
    box.g.setAttribute("tabindex", "0");
    box.g.setAttribute("role", "button");
    box.g.focus();
  }

  function percentage(part) {
    const share = (part / whole) * 100;
    const text = share >= 99.95 && share < 100.05 ? "100" : share.toFixed(1);
    return svg.dataset.percent.replace("0.0", text);
  }

  // Finds a text as it is, or as a regular expression; all in lower case, it ignores case.
  function search() {
    const query = field.value;
    const fold = query === query.toLowerCase();
    let expression;
    try {
      expression = new RegExp(query, fold ? "iu" : "u");
    } catch {
      expression = null;
    }
    const fits = (name) => (fold ? name.toLowerCase() : name).includes(query) || expression?.test(name);
    hits = [];
    let sum = 0, counted = 0;
    for (const box of boxes) {
      const isHit = query !== "" && box.isFrame && fits(box.lines[0]);
      box.g.classList.toggle("hit", isHit);
      if (!isHit) continue;
      hits.push(box);
      // One inside another is part of it.
      if (box.at >= counted) {
        sum += box.w;
        counted = box.end;
      }
    }
    svg.classList.toggle("searching", query !== "");
    const count = `${hits.length.toLocaleString("en-US")} ${hits.length === 1 ? "frame" : "frames"}`;
    found.textContent = query === "" ? "" : `${percentage(sum)} ${svg.dataset.of}, ${count}`;
  }

  // The next match from the selected box on, from the first again after the last.
  function next() {
    const inside = hits.filter((box) => box.shown);
    select(inside.find((box) => box.at > selected.at) ?? inside[0]);
  }

  // What the arrow keys go to.
  const ways = {
    ArrowUp: (box) => box.parent,
    ArrowDown: (box) => boxes.slice(box.at + 1, box.end).find((below) => below.parent === box && below.shown),
    ArrowLeft: (box) => boxes.slice(0, box.at).findLast((other) => other.depth === box.depth && other.shown),
    ArrowRight: (box) => boxes.slice(box.at + 1).find((other) => other.depth === box.depth && other.shown),
  };

  function key(event) {
    const typing = document.activeElement === field;
    const isFind = (event.ctrlKey || event.metaKey) && event.key === "f";
    // A second Ctrl-F is the browser's own search.
    if (typing ? false : isFind || event.key === "/") {
      field.focus();
      field.select();
    } else if (event.ctrlKey || event.metaKey || event.altKey) {
      return;
    } else if (event.key === "Escape") {
      if (typing || (zoomed === root && field.value !== "")) {
        field.value = "";
        search();
        select(selected.shown ? selected : zoomed);
      } else {
        zoom(root);
      }
    } else if (typing) {
      if (event.key !== "Enter") return;
      next();
    } else if (ways[event.key]) {
      select(ways[event.key](selected));
    } else if (event.key === "Backspace") {
      zoom(zoomed.parent ?? root);
      select(zoomed);
    } else if (event.key === "n") {
      next();
    } else if ((event.key === "Enter" || event.key === " ") && boxOf.has(document.activeElement)) {
      zoom(selected);
    } else {
      return;
    }
    event.preventDefault();
  }

  // Made here, so that nothing that needs a script is to be seen without one.
  const html = (tag, values) => Object.assign(document.createElementNS("http://www.w3.org/1999/xhtml", tag), values);
  const bar = document.createElementNS(svg.namespaceURI, "foreignObject");
  const tools = html("div", { className: "tools" });
  const found = html("output", {});
  const field = html("input", { type: "search", placeholder: "Search: Ctrl-F or /" });
  field.setAttribute("aria-label", "Search for functions, by text or regular expression");
  const reset = html("button", { type: "button", textContent: "Reset zoom", hidden: true });
  tools.append(found, reset, field);
  bar.append(tools);
  const ring = document.createElementNS(svg.namespaceURI, "rect");
  ring.setAttribute("class", "ring");
  svg.append(ring, bar);

  // Alone in a window the picture is as wide as that, and the search stays in sight.
  function resize() {
    const room = alone ? svg.clientWidth || window.innerWidth : svg.viewBox.baseVal.width;
    width = alone ? Math.max(room, 1000) : room;
    svg.setAttribute("viewBox", `0 0 ${width} ${height}`);
    if (alone) svg.setAttribute("height", (height * room) / width);
    bar.setAttribute("width", 620);
    bar.setAttribute("height", 32);
    bar.setAttribute("x", width - margin - 620);
    scroll();
    layout();
  }

  function scroll() {
    bar.setAttribute("y", 8 + (alone ? (window.scrollY * width) / (svg.clientWidth || width) : 0));
  }

  const frames = svg.querySelector(".frames");
  const at = (event) => boxOf.get(event.target.closest?.(".frames > g"));
  frames.addEventListener("click", (event) => {
    if (!at(event)) return;
    select(at(event));
    zoom(selected);
  });
  const show = (event) => at(event) && describe(at(event));
  frames.addEventListener("mouseover", show);
  frames.addEventListener("mouseleave", () => describe(selected));
  // Not on the frames: an SVG element that listens for these takes the focus itself.
  document.addEventListener("focusin", show);
  document.addEventListener("focusin", mark);
  document.addEventListener("focusout", () => ring.setAttribute("display", "none"));
  field.addEventListener("input", search);
  reset.addEventListener("click", () => zoom(root));
  (alone ? window : svg).addEventListener("keydown", key);
  root.g.setAttribute("tabindex", "0");
  if (alone) {
    svg.setAttribute("width", "100%");
    window.addEventListener("resize", resize);
    window.addEventListener("scroll", scroll);
  }
  resize();
  describe(root);
})();
