// Opens exported files in a browser: flame graphs as they are, everything else in speedscope.
// The list of files comes from standard input, what was found goes to standard output.
import fs from 'node:fs';
import http from 'node:http';
import path from 'node:path';
import puppeteer from 'puppeteer-core';

const { chromium, folder, pictures, queries, profiles } = JSON.parse(fs.readFileSync(0, 'utf8'));
const browser = await puppeteer.launch({
  executablePath: chromium,
  headless: true,
  args: ['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking'],
});

async function open(complaints) {
  const page = await browser.newPage();
  await page.setViewport({ width: 1280, height: 900 });
  page.on('pageerror', (error) => complaints.push(error.message));
  return page;
}

// What a flame graph shows: what is zoomed to, what a search found, where the focus is.
const state = (page) =>
  page.evaluate(() => {
    const all = [...document.querySelectorAll('.frames > g')];
    const boxes = all.filter((g) => !g.hasAttribute('display'));
    const width = (g) => g.querySelector('rect').getBoundingClientRect().width;
    const widest = Math.max(...boxes.map(width));
    const name = (g) => g?.querySelector?.('title')?.textContent.split('\n')[0] ?? null;
    const full = boxes.filter((g) => width(g) > widest * 0.999);
    return {
      full: full.map((g) => all.indexOf(g)),
      shown: boxes.length,
      found: document.querySelector('output').textContent,
      hits: document.querySelectorAll('.hit').length,
      reset: !document.querySelector('button').hidden,
      focus: name(document.activeElement) ?? document.activeElement?.tagName ?? null,
      ring: document.querySelector('.ring').getAttribute('display') !== 'none',
      details: document.querySelector('.details').textContent,
    };
  });

async function press(page, ...keys) {
  for (const key of keys) await page.keyboard.press(key);
}

async function find(page) {
  await page.keyboard.down('Control');
  await page.keyboard.press('f');
  await page.keyboard.up('Control');
}

// A flame graph: how many frames there are, what a click on one does, what a search for its name finds, what keys do.
async function picture(file) {
  const complaints = [];
  const page = await open(complaints);
  page.on('dialog', async (dialog) => {
    complaints.push(`${dialog.type()}: ${dialog.message()}`);
    await dialog.dismiss();
  });
  await page.goto(`file://${path.join(folder, file)}`);
  const found = { file, complaints };
  found.frames = await page.evaluate(() => document.querySelectorAll('.frames > g').length);
  // The widest frame that is not as wide as all.
  const frame = await page.evaluate(() => {
    const frames = [...document.querySelectorAll('.frames > g')].map((g, at) => {
      const width = g.querySelector('rect').getBoundingClientRect().width;
      return { at, width, rest: g.classList.contains('rest'), name: g.querySelector('title').textContent.split('\n')[0] };
    });
    const all = Math.max(...frames.map((one) => one.width), 0);
    return frames.filter((one) => !one.rest && one.width < all * 0.98 && one.width > 4).sort((a, b) => b.width - a.width)[0];
  });
  if (frame) {
    const spot = await page.evaluate((at) => {
      const g = document.querySelectorAll('.frames > g')[at];
      g.scrollIntoView({ block: 'center' });
      const box = g.querySelector('rect').getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2];
    }, frame.at);
    Object.assign(found, { at: frame.at, name: frame.name });
    await page.mouse.click(...spot);
    found.clicked = await state(page);
    await press(page, 'Escape');
    found.left = await state(page);
    await press(page, 'Enter');
    found.entered = await state(page);
    await press(page, 'Backspace');
    found.back = await state(page);
    await page.evaluate(() => document.querySelector('button').click());
    await find(page);
    await page.keyboard.sendCharacter(frame.name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
    found.searched = await state(page);
  }
  found.answers = [];
  for (const query of queries[file] ?? []) {
    await find(page);
    await page.evaluate(() => document.querySelector('input').select());
    await page.keyboard.sendCharacter(query);
    found.answers.push((await state(page)).found);
    await press(page, 'Escape');
  }
  found.ran = await page.evaluate(() => Object.keys(window).filter((key) => /^(pwned|ran|xss)/i.test(key)));
  await page.close();
  return found;
}

// The keys alone, from the first to the last.
async function keys(file) {
  const complaints = [];
  const page = await open(complaints);
  await page.goto(`file://${path.join(folder, file)}`);
  const steps = [];
  for (const key of ['Tab', 'ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowUp', 'Enter', 'Backspace', 'Escape', '/']) {
    await press(page, key);
    steps.push({ key, ...(await state(page)) });
  }
  await page.close();
  return { complaints, steps };
}

// A flame graph where neither scripts nor style sheets are allowed: its labels, what would need a script, its colours.
async function strict(file) {
  const server = http.createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'image/svg+xml', 'content-security-policy': "default-src 'none'" });
    response.end(fs.readFileSync(path.join(folder, file)));
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const page = await open([]);
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  const found = await page.evaluate(() => ({
    labels: [...document.querySelectorAll('.frames text')].map((text) => text.textContent),
    controls: document.querySelectorAll('foreignObject').length,
    fills: [...new Set([...document.querySelectorAll('rect')].map((rect) => getComputedStyle(rect).fill))],
    width: document.querySelector('.frames rect').getBoundingClientRect().width,
  }));
  await page.close();
  server.close();
  return found;
}

// speedscope's table of a file: name and own value of each row that it shows.
async function table(page, file) {
  const name = `${profiles.indexOf(file)}-${file}`;
  const data = fs.readFileSync(path.join(folder, file)).toString('base64');
  const before = await page.title();
  await page.evaluate((name, data) => window.speedscope.loadFileFromBase64(name, data), name, data);
  await page.waitForFunction((before) => document.title !== before, { timeout: 20_000, polling: 50 }, before);
  await page.keyboard.press('3');
  const rows = () => [...document.querySelectorAll('tr')].slice(1).map((row) => [...row.children].map((cell) => cell.innerText));
  await page.waitForFunction(() => document.querySelectorAll('tr').length > 1, { timeout: 20_000, polling: 50 });
  return { title: await page.title(), rows: await page.evaluate(rows) };
}

const found = { pictures: [], tables: [] };
for (const file of pictures) {
  found.pictures.push(await picture(file));
}
if (pictures.length > 0) {
  const file = pictures[pictures.length - 1];
  found.keys = await keys(file);
  found.strict = await strict(file);
}
if (profiles.length > 0) {
  const empty = path.join(folder, 'empty.js');
  fs.writeFileSync(empty, '');
  const release = new URL('./node_modules/speedscope/dist/release/index.html', import.meta.url);
  for (const file of profiles) {
    const complaints = [];
    const page = await open(complaints);
    page.on('dialog', async (dialog) => {
      complaints.push(dialog.message());
      await dialog.dismiss();
    });
    await page.goto(`${release}#localProfilePath=${empty}`);
    await page.waitForFunction(() => window.speedscope !== undefined, { timeout: 20_000, polling: 20 });
    const read = await table(page, file).catch((error) => ({ title: '', rows: [], error: error.message }));
    found.tables.push({ file, complaints, ...read });
    await page.close();
  }
}
await browser.close();
process.stdout.write(JSON.stringify(found));
