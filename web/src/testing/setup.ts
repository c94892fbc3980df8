/** A clean table for every test. The files of one worker share window and modules: nothing of a test may be left there. */
import { cleanup, configure } from '@testing-library/react';
import { afterEach, beforeAll, vi } from 'vitest';
import { language, setLanguage } from '@/i18n';
import { site } from '@/site';

// On a machine that has more to do a second is soon over.
configure({ asyncUtilTimeout: 15_000 });

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
