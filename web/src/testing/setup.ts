/** A clean table for every test. The files of one worker share window and modules: nothing of a test may be left there. */
import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeAll, vi } from 'vitest';
import { type Area, language, loadTexts, setLanguage } from '@/i18n';
import { zhCN } from '@/i18n/zh-CN';
import { site } from '@/site';

// On a machine that has more to do a second is soon over.
configure({ asyncUtilTimeout: 15_000 });

// Half of the time went into matching antd's rules anew for each element whose style was asked for. All that a test
// needs to know of them is what they hide.
if (!document.querySelector('#what-is-hidden')) {
  const sheetOf = Object.getOwnPropertyDescriptor(HTMLStyleElement.prototype, 'sheet')?.get;
  Object.defineProperty(HTMLStyleElement.prototype, 'sheet', {
    get(this: HTMLStyleElement) {
      return this.dataset.cssHash ? null : sheetOf?.call(this);
    },
  });
  const style = document.createElement('style');
  style.id = 'what-is-hidden';
  style.textContent = '[class*="-hidden"] { display: none; }';
  document.head.append(style);
}

// Every text in the language spoken now; the other one's come when it is chosen.
await loadTexts(Object.keys(zhCN) as Area[]);

// A file may speak another language, and keep a canvas, from its first test to its last.
beforeAll(async () => {
  if (language() !== site.language) await setLanguage(site.language);
  document.body.replaceChildren();
  localStorage.clear();
});

afterEach(() => {
  cleanup();
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  localStorage.clear();
  sessionStorage.clear();
});
