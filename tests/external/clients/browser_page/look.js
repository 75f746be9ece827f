// Opens pages in headless Chromium, wide and narrow, light and dark, and says what is wrong with
// them: node look.js SCRATCH PAGE...
const { mkdtempSync } = require("node:fs");
const path = require("node:path");
const { pathToFileURL } = require("node:url");
const { chromium } = require("playwright-core");

const FLAGS = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
];
const SIZES = [["desktop", 1280, 900], ["phone", 360, 740]];
// What WCAG asks for (AA) of text of this size.
const CONTRAST = 4.5;

// In the page: texts whose colour is too near to what lies behind them.
function pale(least) {
  const parse = (colour) => {
    const [r, g, b, a = 1] = colour.match(/[\d.]+/g).map(Number);
    return { rgb: [r, g, b], a };
  };
  const light = (rgb) => {
    const [r, g, b] = rgb.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const behind = (element) => {
    const layers = [];
    for (let e = element; e; e = e.parentElement) layers.push(parse(getComputedStyle(e).backgroundColor));
    const base = matchMedia("(prefers-color-scheme: dark)").matches ? [0, 0, 0] : [255, 255, 255];
    return layers.reverse().reduce((below, { rgb, a }) => below.map((c, i) => c * (1 - a) + rgb[i] * a), base);
  };
  const found = [];
  let looked = 0;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.data.trim();
    const element = walker.currentNode.parentElement;
    if (!text || element.closest("script, title, .board, .definitions, [hidden]")) continue;
    const style = getComputedStyle(element);
    const colour = parse(element.closest("svg") ? style.fill : style.color).rgb;
    const [a, b] = [light(colour), light(behind(element))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    looked += 1;
    if (contrast < least) found.push(`${contrast.toFixed(2)} ${element.tagName} ${text.slice(0, 40)}`);
  }
  return { looked, found: [...new Set(found)] };
}

// In the page: what reaches beyond its right edge.
function wide() {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const beyond = [...document.body.querySelectorAll("*")].filter((e) => e.getBoundingClientRect().right > clientWidth + 1);
  return [`${scrollWidth} px wide in ${clientWidth}`, ...beyond.slice(0, 5).map((e) => e.outerHTML.slice(0, 80))];
}

async function steps(page, complain) {
  const play = page.locator(".play:has(li)").first();
  if (!(await play.count())) return;
  const men = () => play.locator(".viewer .men").innerHTML();
  const [shown, opened] = [play.locator(".shown"), await men()];
  const [words, last] = [await shown.textContent(), play.locator("li").last()];
  await play.getByRole("button", { name: "One ply forward" }).click();
  await play.getByRole("button", { name: "One ply back" }).click();
  if ((await men()) !== opened) complain("a position is drawn in another way than by the engine");
  if (!words.includes(await play.locator(".now .move").textContent())) complain("another move is shown");
  await play.getByRole("button", { name: "To the start" }).click();
  if ((await shown.textContent()) !== "Start position" || (await men()) === opened) complain("no step to the start");
  await play.getByRole("button", { name: "One ply forward" }).click();
  const first = await play.locator(".move").first().textContent();
  if (!(await shown.textContent()).endsWith(first)) complain("no step to the first move");
  await play.getByRole("button", { name: "To the end" }).click();
  if (!(await last.evaluate((e) => e.classList.contains("now")))) complain("no step to the end");
}

async function look(browser, scratch, file, [size, width, height], colorScheme) {
  const name = `${path.basename(file, ".html")}-${size}-${colorScheme}`;
  const faults = [];
  const complain = (fault) => faults.push(`${name}: ${fault}`);
  const page = await browser.newPage();
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme });
  const url = pathToFileURL(path.resolve(file)).href;
  page.on("console", (message) => complain(`console ${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => complain(`script: ${error}`));
  page.on("dialog", (dialog) => { complain("a dialog opens"); dialog.dismiss(); });
  page.on("request", (request) => { if (request.url() !== url) complain(`asks for ${request.url()}`); });
  await page.goto(url);
  await page.screenshot({ path: path.join(scratch, `${name}.png`), fullPage: true });
  (await page.evaluate(wide)).forEach((fault) => complain(`too wide: ${fault}`));
  const { looked, found } = await page.evaluate(pale, CONTRAST);
  if (looked < 20) complain(`only ${looked} texts`);
  found.forEach((fault) => complain(`too pale: ${fault}`));
  await steps(page, complain);
  await page.close();
  return faults;
}

async function main([scratch, ...files]) {
  const profile = mkdtempSync(path.join(scratch, "profile-"));
  const browser = await chromium.launchPersistentContext(profile, {
    executablePath: "/usr/bin/chromium", headless: true, args: FLAGS,
  });
  const faults = [];
  for (const file of files)
    for (const size of SIZES)
      for (const colorScheme of ["light", "dark"])
        faults.push(...(await look(browser, scratch, file, size, colorScheme)));
  await browser.close();
  faults.forEach((fault) => console.log(fault));
  console.log(`${files.length} pages looked at, ${faults.length} faults`);
  return faults.length ? 1 : 0;
}

main(process.argv.slice(2)).then((code) => process.exit(code), (error) => {
  console.error(error);
  process.exit(1);
});
