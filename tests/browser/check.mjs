// Opens exported files in a browser: flame graphs as they are, everything else in speedscope.
// The list of files comes from standard input, what was found goes to standard output.
import fs from 'node:fs';
import path from 'node:path';
import puppeteer from 'puppeteer-core';

const { chromium, folder, pictures, profiles } = JSON.parse(fs.readFileSync(0, 'utf8'));
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

// A flame graph: how many frames there are, what a click on one does, what a search for its name finds.
async function picture(file) {
  const complaints = [];
  const page = await open(complaints);
  let asked = null;
  page.on('dialog', async (dialog) => {
    if (dialog.type() === 'prompt' && asked !== null) {
      await dialog.accept(asked);
    } else {
      complaints.push(`${dialog.type()}: ${dialog.message()}`);
      await dialog.dismiss();
    }
  });
  await page.goto(`file://${path.join(folder, file)}`);
  const found = { file, complaints };
  found.frames = await page.evaluate(() => document.querySelectorAll('#frames g').length);
  // The widest frame that is not as wide as all.
  const frame = await page.evaluate(() => {
    const frames = [...document.querySelectorAll('#frames g')].map((g, at) => {
      const box = g.querySelector('rect').getBoundingClientRect();
      return { at, width: box.width, x: box.x + box.width / 2, y: box.y + box.height / 2, title: g.querySelector('title').textContent };
    });
    const all = Math.max(...frames.map((one) => one.width), 0);
    return frames.filter((one) => one.width < all * 0.98 && one.width > 4).sort((a, b) => b.width - a.width)[0];
  });
  if (frame) {
    await page.evaluate((at) => document.querySelectorAll('#frames g')[at].scrollIntoView(), frame.at);
    const spot = await page.evaluate((at) => {
      const box = document.querySelectorAll('#frames g')[at].querySelector('rect').getBoundingClientRect();
      return [box.x + box.width / 2, box.y + box.height / 2];
    }, frame.at);
    await page.mouse.click(...spot);
    found.clicked = await page.evaluate((at) => {
      const widths = [...document.querySelectorAll('#frames g')].map((g) => g.querySelector('rect').getBoundingClientRect().width);
      return {
        unzoom: !document.getElementById('unzoom').classList.contains('hide'),
        share: widths[at] / Math.max(...widths),
      };
    }, frame.at);
    await page.evaluate(() => document.getElementById('unzoom').dispatchEvent(new MouseEvent('click', { bubbles: true })));
    const name = frame.title.replace(/ \([^()]*\)$/s, '');
    asked = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    await page.evaluate(() => document.getElementById('search').dispatchEvent(new MouseEvent('click', { bubbles: true })));
    await page.waitForFunction(() => !document.getElementById('matched').classList.contains('hide'), { timeout: 10_000 }).catch(() => {});
    found.searched = { name, matched: await page.evaluate(() => document.getElementById('matched').textContent) };
  }
  found.ran = await page.evaluate(() => Object.keys(window).filter((key) => /^(pwned|ran|xss)/i.test(key)));
  await page.close();
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
