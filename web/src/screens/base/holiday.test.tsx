import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test } from 'vitest';
import { setLanguage } from '@/i18n';
import { beSignedIn, draw } from '@/testing/render';
import { serve } from '@/testing/server';
import Holidays from './holiday.page';

test('a published year is taken over, one that is complete is not offered', async () => {
  await setLanguage('en-US');
  beSignedIn();
  const row = {
    id: '1',
    day: '2026-02-16',
    dayType: 1,
    dayTypeName: 'Day off',
    name: '春节',
    nameEn: 'Spring Festival',
    title: '2026-02-16 Spring Festival',
  };
  let missing = 38;
  const log = serve({
    'GET /blade-system/menu/buttons': () =>
      ['holiday_view', 'holiday_add'].map((code) => ({ id: code, code })),
    'GET /blade-system/menu/routes': () => [],
    'GET /yuzhu-equip/holiday/list': () => ({ records: [row], total: 1, size: 10, current: 1, pages: 1 }),
    'GET /yuzhu-equip/holiday/published': () => [
      { year: 2026, days: 39, missing },
      { year: 2025, days: 33, missing: 0 },
    ],
    'POST /yuzhu-equip/holiday/takeOver': () => {
      missing = 0;
      return { year: 2026, added: 38, known: 1 };
    },
  });
  draw(<Holidays />);
  await screen.findByText('Spring Festival');
  await userEvent.click(await screen.findByText('Import the official calendar'));
  await screen.findByText('39 days, 38 missing');
  expect(screen.getByText('Complete').closest('button')?.disabled).toBe(true);
  await userEvent.click(screen.getByText('Import', { selector: '.ant-modal button span' }));
  await screen.findByText('38 days added, 1 already there');
  await waitFor(() => expect(screen.getAllByText('Complete')).toHaveLength(2));
  expect(log.filter(({ method }) => method === 'POST').map(({ body }) => body)).toEqual([{ year: 2026 }]);
  await setLanguage('zh-CN');
  await screen.findByText('春节');
  expect(screen.queryByText('Spring Festival')).toBeNull();
});
