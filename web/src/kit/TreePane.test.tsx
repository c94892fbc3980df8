import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { setLanguage } from '@/i18n';
import '@/session/sign';
import { gauge } from '@/testing/nouns';
import { beSignedIn, draw } from '@/testing/render';
import { serve } from '@/testing/server';
import { NounPage, useLazyTree } from './NounPage';

const levels: Record<string, object[]> = {
  '00': [{ id: '32', title: 'Jiangsu', hasChildren: true }],
  32: [{ id: '3205', title: 'Suzhou' }],
};

function Places() {
  const { nodes, load } = useLazyTree('/blade-system/region/lazy-tree', 'parentCode', '00');
  return (
    <NounPage
      noun={gauge}
      name="gaugeName"
      columns={['gaugeName']}
      form={['gaugeName']}
      pane={{ title: 'Regions', nodes, load, param: 'regionCode' }}
    />
  );
}

beforeEach(async () => {
  await setLanguage('en-US');
  beSignedIn();
});

test('a tree that comes level by level asks for a level once it is unfolded; the list follows the node', async () => {
  const log = serve({
    'GET /blade-system/menu/buttons': () => [],
    'GET /blade-system/menu/routes': () => [],
    'GET /blade-system/region/lazy-tree': ({ params }) => levels[params.parentCode as string],
    'GET /yuzhu-equip/gauge/list': () => ({ records: [], total: 0, size: 10, current: 1, pages: 0 }),
  });
  const asked = (path: string) => log.filter((one) => one.path === path).map((one) => one.params);
  const { router } = draw(<Places />);
  const pane = within(await screen.findByRole('navigation', { name: 'Regions' }));
  const node = await pane.findByText('Jiangsu');
  expect(pane.queryByText('Suzhou')).toBeNull();
  const fold = node.closest('.ant-tree-treenode')?.querySelector('.ant-tree-switcher') as HTMLElement;
  await userEvent.click(fold);
  await userEvent.click(await pane.findByText('Suzhou'));
  expect(asked('/blade-system/region/lazy-tree')).toEqual([{ parentCode: '00' }, { parentCode: '32' }]);
  await waitFor(() => expect(router.state.location.search).toBe('?node=3205'));
  await waitFor(() =>
    expect(asked('/yuzhu-equip/gauge/list').at(-1)).toEqual({ regionCode: '3205', current: '1', size: '10' }),
  );
});
