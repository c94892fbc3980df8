import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { dictbiz } from '@/api/nouns/dictbiz';
import { setLanguage } from '@/i18n';
import { Dictionaries } from '@/screens/shared/Dictionaries';
import { beSignedIn, draw } from '@/testing/render';
import { serve } from '@/testing/server';

const row = (id: string, title: string, code: string) => ({
  id,
  title,
  code,
  dictValue: title,
  sort: 1,
  isSealed: 0,
});
const parents = [row('1', 'Colour', 'colour'), row('2', 'Shape', 'shape')];

beforeEach(async () => {
  await setLanguage('en-US');
  beSignedIn();
  serve({
    'GET /blade-system/menu/buttons': () => [{ id: '1', code: 'dictbiz_view' }],
    'GET /blade-system/menu/routes': () => [],
    'GET /blade-system/dict-biz/parent-list': () => ({
      records: parents,
      total: 2,
      size: 10,
      current: 1,
      pages: 1,
    }),
    'GET /blade-system/dict-biz/detail': ({ params }) => parents.find((one) => one.id === params.id),
    'GET /blade-system/dict-biz/child-list': ({ params }) => [
      row(`${params.parentId}1`, `of ${params.parentId}`, 'x'),
    ],
  });
});

test('beside the list the first dictionary is open until another one is chosen', async () => {
  const { router } = draw(<Dictionaries noun={dictbiz} arrangement="beside" />);
  const first = within(await screen.findByRole('region', { name: 'Colour' }));
  first.getByText('of 1');
  expect(router.state.location.search).toBe('');
  await userEvent.click(screen.getByText('Shape'));
  await waitFor(() => within(screen.getByRole('region', { name: 'Shape' })).getByText('of 2'));
  expect(router.state.location.search).toBe('?node=2');
});

test('below the list nothing is open by itself, and the page says what to do', async () => {
  draw(<Dictionaries noun={dictbiz} arrangement="below" />);
  await screen.findByText('Colour');
  screen.getByText('Select a dictionary to see its values');
  expect(screen.queryByRole('region', { name: 'Colour' })).toBeNull();
});
