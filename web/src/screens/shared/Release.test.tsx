import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { loadTexts } from '@/i18n';
import { beSignedIn, draw } from '@/testing/render';
import { Refused, serve } from '@/testing/server';
import Release from './Release';

const NEWEST = {
  id: '9',
  version: '1.2.0',
  name: 'Spring',
  content: 'Faster\nSmaller',
  contentLines: ['Faster', 'Smaller'],
  publishTime: '2026-11-02 09:05:07',
  unread: 1,
  history: [
    { version: '1.1.0', name: 'Winter', contentLines: ['Quieter'], publishTime: '2026-10-02 09:05:07' },
  ],
};
const READ = 'POST /yuzhu-equip/systemHistory/read';

beforeEach(async () => {
  beSignedIn();
  await loadTexts(['release']);
});

test('what is new is read by opening it, once, and earlier releases unfold', async () => {
  const asked = serve({ 'GET /yuzhu-equip/homeMetric/getVersion': () => NEWEST, [READ]: () => null });
  draw(<Release onClose={() => undefined} />);
  await screen.findByText('1.2.0 Spring');
  expect(screen.getAllByRole('listitem').map((one) => one.textContent)).toEqual(['Faster', 'Smaller']);
  await userEvent.click(screen.getByText('1.1.0 Winter'));
  await screen.findByText('Quieter');
  expect(asked.filter(({ method }) => method === 'POST').map(({ body }) => body)).toEqual([{ id: '9' }]);
});

test('what could not be noted as read stays unread, and is shown all the same', async () => {
  const asked = serve({
    'GET /yuzhu-equip/homeMetric/getVersion': () => NEWEST,
    [READ]: () => {
      throw new Refused(500, { code: 500, success: false, msg: 'down' });
    },
  });
  draw(<Release onClose={() => undefined} />);
  await screen.findByText('1.2.0 Spring');
  await waitFor(() => expect(asked).toHaveLength(2));
  expect(screen.queryByText('down')).toBeNull();
});

test('without any release it says so', async () => {
  serve({ 'GET /yuzhu-equip/homeMetric/getVersion': () => ({}) });
  draw(<Release onClose={() => undefined} />);
  await screen.findByText('暂无版本说明');
});
