// Checks pages in headless Chromium, wide and narrow, light and dark: node look.js SCRATCH PAGE...
const { mkdtempSync } = require("node:fs");
const path = require("node:path");
const { pathToFileURL } = require("node:url");
const { chromium } = require("playwright-core");

const FLAGS = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
];
const SIZES = [["desktop", 1280, 900], ["phone", 360, 740]];
// The minimum contrast of text of this size, by WCAG level AA.
const CONTRAST = 4.5;

// Runs in the page: returns the texts with less contrast to their background than `minimum`.
function lowContrast(minimum) {
  const parse = (colour) => {
    const [r, g, b, a = 1] = colour.match(/[\d.]+/g).map(Number);
    return { rgb: [r, g, b], a };
  };
  const luminance = (rgb) => {
    const [r, g, b] = rgb.map((c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const background = (element) => {
    const layers = [];
    for (let e = element; e; e = e.parentElement) layers.push(parse(getComputedStyle(e).backgroundColor));
    const base = matchMedia("(prefers-color-scheme: dark)").matches ? [0, 0, 0] : [255, 255, 255];
    return layers.reverse().reduce((below, { rgb, a }) => below.map((c, i) => c * (1 - a) + rgb[i] * a), base);
  };
  const found = [];
  let checked = 0;
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.data.trim();
    const element = walker.currentNode.parentElement;
    if (!text || element.closest("script, title, .board, .definitions, [hidden]")) continue;
    const style = getComputedStyle(element);
    const colour = parse(element.closest("svg") ? style.fill : style.color).rgb;
    const [a, b] = [luminance(colour), luminance(background(element))];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    checked += 1;
    if (contrast < minimum) found.push(`${contrast.toFixed(2)} ${element.tagName} ${text.slice(0, 40)}`);
  }
  return { checked, found: [...new Set(found)] };
}

// Runs in the page: returns what extends beyond its right edge.
function overflow() {
  const { scrollWidth, clientWidth } = document.documentElement;
  if (scrollWidth <= clientWidth) return [];
  const beyond = [...document.body.querySelectorAll("*")].filter((e) => e.getBoundingClientRect().right > clientWidth + 1);
  return [`${scrollWidth} px wide in ${clientWidth}`, ...beyond.slice(0, 5).map((e) => e.outerHTML.slice(0, 80))];
}

async function steps(page, report) {
  const play = page.locator(".play:has(li)").first();
  if (!(await play.count())) return;
  const men = () => play.locator(".viewer .men").innerHTML();
  const [shown, opened] = [play.locator(".shown"), await men()];
  const [words, last] = [await shown.textContent(), play.locator("li").last()];
  await play.getByRole("button", { name: "One move forward" }).click();
  await play.getByRole("button", { name: "One move back" }).click();
  if ((await men()) !== opened) report("a position is not drawn as by the engine");
  if (!words.includes(await play.locator(".now .move").textContent())) report("another move is shown");
  await play.getByRole("button", { name: "To the start" }).click();
  if ((await shown.textContent()) !== "Start position" || (await men()) === opened) report("no step to the start");
  await play.getByRole("button", { name: "One move forward" }).click();
  const first = await play.locator(".move").first().textContent();
  if (!(await shown.textContent()).endsWith(first)) report("no step to the first move");
  await play.getByRole("button", { name: "To the end" }).click();
  if (!(await last.evaluate((e) => e.classList.contains("now")))) report("no step to the end");
}

async function checkPage(browser, scratch, file, [size, width, height], colorScheme) {
  const name = `${path.basename(file, ".html")}-${size}-${colorScheme}`;
  const faults = [];
  const report = (fault) => faults.push(`${name}: ${fault}`);
  const page = await browser.newPage();
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ colorScheme });
  const url = pathToFileURL(path.resolve(file)).href;
  page.on("console", (message) => report(`console ${message.type()}: ${message.text()}`));
  page.on("pageerror", (error) => report(`script: ${error}`));
  page.on("dialog", (dialog) => { report("a dialog opens"); dialog.dismiss(); });
  page.on("request", (request) => { if (request.url() !== url) report(`request for ${request.url()}`); });
  await page.goto(url);
  await page.screenshot({ path: path.join(scratch, `${name}.png`), fullPage: true });
  (await page.evaluate(overflow)).forEach((fault) => report(`too wide: ${fault}`));
  const { checked, found } = await page.evaluate(lowContrast, CONTRAST);
  if (checked < 20) report(`only ${checked} texts`);
  found.forEach((fault) => report(`low contrast: ${fault}`));
  await steps(page, report);
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
        faults.push(...(await checkPage(browser, scratch, file, size, colorScheme)));
  await browser.close();
  faults.forEach((fault) => console.log(fault));
  console.log(`${files.length} pages checked, ${faults.length} faults`);
  return faults.length ? 1 : 0;
}

main(process.argv.slice(2)).then((code) => process.exit(code), (error) => {
  console.error(error);
  process.exit(1);
});
