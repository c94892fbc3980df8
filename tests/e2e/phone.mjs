// A phone of one's own: a browser that keeps its profile and can be killed, and a network that can be taken away.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { PHONE } from './harness.mjs';

const { chromium } = createRequire(new URL('../../web/package.json', import.meta.url))('playwright-core');
const PATIENCE = 30_000;

/**
 * A way to the server that is taken away for workers too, which a browser's own switch does not reach. While it is slow
 * each answer is held back for so many milliseconds.
 */
export async function network(base) {
  const { hostname, port } = new URL(base);
  const open = new Set();
  let pause = 0;
  const server = createServer((here) => {
    const there = connect(Number(port), hostname);
    for (const [socket, other] of [
      [here, there],
      [there, here],
    ]) {
      open.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        open.delete(socket);
        other.destroy();
      });
    }
    here.pipe(there);
    there.on('data', (data) => {
      if (pause) setTimeout(() => here.writable && here.write(data), pause);
      else here.write(data);
    });
  });
  const listen = (at) => new Promise((resolve) => server.listen(at, '127.0.0.1', resolve));
  await listen(0);
  const at = server.address().port;
  return {
    base: `http://127.0.0.1:${at}`,
    on: () => listen(at),
    async off() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of open) socket.destroy();
      await closed;
    },
    slow(milliseconds) {
      pause = milliseconds;
    },
  };
}

/** A browser with a profile in a folder of its own; what it complains about is in `faults`. */
export async function phone(faults) {
  const profile = await mkdtemp(join(tmpdir(), 'xunwei-phone-'));
  let running;

  async function start() {
    const child = spawn(
      process.env.CHROMIUM || '/usr/bin/chromium',
      [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        '--disable-dev-shm-usage',
        '--disable-background-networking',
        '--no-first-run',
        '--lang=zh-CN',
        '--remote-debugging-port=0',
        `--user-data-dir=${profile}`,
        'about:blank',
      ],
      // A group of its own, so that all of it is killed at once.
      { env: { ...process.env, TZ: 'Asia/Shanghai' }, stdio: ['ignore', 'ignore', 'pipe'], detached: true },
    );
    const address = await new Promise((resolve, reject) => {
      let said = '';
      child.stderr.on('data', (text) => {
        said += text;
        const found = /DevTools listening on (ws:\S+)/.exec(said);
        if (found) resolve(found[1]);
      });
      child.once('exit', () => reject(new Error(`the browser ended:\n${said}`)));
    });
    const browser = await chromium.connectOverCDP(address);
    const [context] = browser.contexts();
    context.setDefaultTimeout(PATIENCE);
    const [page] = context.pages();
    page.on('pageerror', (error) => faults.push(`${page.url()}: ${error.message}`));
    await page.setViewportSize(PHONE);
    await page.emulateMedia({ reducedMotion: 'reduce' });
    running = { child, browser };
    return page;
  }

  async function end(close) {
    if (!running) return;
    const { child, browser } = running;
    running = undefined;
    const ended = child.exitCode !== null || new Promise((resolve) => child.once('exit', resolve));
    await close(child, browser);
    await ended;
  }

  return {
    start,
    /** As a person closes it. */
    close: () =>
      end(async (child, browser) => {
        const wire = await browser.newBrowserCDPSession();
        await wire.send('Browser.close').catch(() => child.kill());
      }),
    /** As the system does when it needs the room. */
    kill: () => end(async (child) => process.kill(-child.pid, 'SIGKILL')),
    remove: () => rm(profile, { recursive: true, force: true, maxRetries: 5 }),
  };
}

const crcs = Array.from({ length: 256 }, (_, byte) => {
  let value = byte;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value >>> 0;
});
const crc = (data) => {
  let value = 0xffffffff;
  for (const byte of data) value = crcs[(value ^ byte) & 255] ^ (value >>> 8);
  return (value ^ 0xffffffff) >>> 0;
};

/** A PNG of one colour. */
export function png(width, height, colour) {
  const chunk = (kind, data) => {
    const body = Buffer.concat([Buffer.from(kind), data]);
    const frame = Buffer.alloc(8);
    frame.writeUInt32BE(data.length, 0);
    frame.writeUInt32BE(crc(body), 4);
    return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
  };
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const line = Buffer.concat([Buffer.from([0]), Buffer.concat(Array(width).fill(Buffer.from(colour)))]);
  const content = deflateSync(Buffer.concat(Array(height).fill(line)));
  return Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
    chunk('IHDR', head),
    chunk('IDAT', content),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}
