import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import i18next from 'i18next';
import { afterAll, expect, test, vi } from 'vitest';
import { language, setLanguage } from '@/i18n';
import { draw } from '@/testing/render';
import { LanguageSwitch } from './LanguageSwitch';

afterAll(() => setLanguage('zh-CN'));

test('where the texts of a language do not come, the one spoken stays and the person is told', async () => {
  await setLanguage('zh-CN');
  i18next.removeResourceBundle('en-US', 'translation');
  const adding = vi.spyOn(i18next, 'addResourceBundle').mockImplementation(() => {
    throw new TypeError('Failed to fetch dynamically imported module');
  });
  draw(<LanguageSwitch />);
  await userEvent.click(screen.getByRole('button', { name: /English/ }));
  expect(await screen.findByText(/语言没有切换/)).toBeTruthy();
  expect([language(), document.documentElement.lang, localStorage.getItem('xunwei.language')]).toEqual(
    Array(3).fill('zh-CN'),
  );

  adding.mockRestore();
  await userEvent.click(screen.getByRole('button', { name: /English/ }));
  expect(await screen.findByRole('button', { name: /中文/ })).toBeTruthy();
  expect(document.documentElement.lang).toBe('en-US');
});
