import { beforeEach, expect, test } from 'vitest';
import { keepSession } from '@/session/session';
import { TOKEN } from '@/testing/render';
import { firstBelow, isOpenable, leavesOf } from './leaves';
import { entryAt, entryWithCode, isShown, type MenuNode, targetOf } from './menu';
import { entry } from './testShell';

const asked = (part: Partial<MenuNode>) => entry({ code: 'thing', path: '/repair/order', ...part });

beforeEach(() => keepSession({ ...TOKEN, role_name: 'leader,keeper' }));

test.each([
  [{}, true],
  [{ roles: [] }, true],
  [{ roles: '' }, true],
  [{ roles: ['keeper'] }, true],
  [{ roles: 'hr,leader' }, true],
  [{ roles: ['hr'] }, false],
  // A part of a name is another role.
  [{ roles: ['lead'] }, false],
  [{ roles: 'leaders' }, false],
  [{ menu: true }, true],
  [{ menu: false }, false],
  [{ menu: false, roles: ['leader'] }, false],
])('an entry with the meta %j is shown to leader and keeper: %s', (meta, shown) => {
  expect(isShown(asked({ meta }))).toBe(shown);
});

test('without a session an entry for roles is hidden', () => {
  localStorage.clear();
  expect(isShown(asked({ meta: { roles: ['leader'] } }))).toBe(false);
});

test.each([
  [{ path: '/repair/order' }, { kind: 'page', to: '/repair/order' }],
  [{ query: { status: 1, mine: 'a b' } }, { kind: 'page', to: '/repair/order?status=1&mine=a+b' }],
  [
    { path: 'https://board.test/a?token=1', name: 'Line 2', source: 'tv' },
    { kind: 'page', to: '/myiframe/thing?id=id-thing&name=Line+2&code=thing&source=tv' },
  ],
  [
    { path: '/help/index.html', code: 'a/b' },
    { kind: 'page', to: '/myiframe/a%2Fb?id=id-a%2Fb&name=a%2Fb&code=a%2Fb&source=tool' },
  ],
  [
    { path: 'https://board.test/a', isOpen: 2 },
    { kind: 'window', href: 'https://board.test/a' },
  ],
  // Only an http address opens a window.
  [{ isOpen: 2 }, { kind: 'page', to: '/repair/order' }],
  [{ path: 'javascript:alert(1)', isOpen: 2 }, { kind: 'none' }],
  [{ path: 'javascript:alert(1)//html' }, { kind: 'none' }],
  [{ path: 'data:text/html,x' }, { kind: 'none' }],
  [{ path: '//other.test/a.html' }, { kind: 'none' }],
  [{ path: '//other.test' }, { kind: 'none' }],
  [{ path: '/\\other.test' }, { kind: 'none' }],
  [{ path: '/\t/other.test' }, { kind: 'none' }],
  [{ path: '/\n/other.test/a.html' }, { kind: 'none' }],
  [{ path: 'repair/order' }, { kind: 'none' }],
  [{ path: '' }, { kind: 'none' }],
])('%j leads to %j', (part, target) => {
  expect(targetOf(asked(part))).toEqual(target);
});

test('the session’s token is in no address', () => {
  for (const isOpen of [1, 2]) {
    for (const path of ['https://board.test/a', '/help/a.html', '/repair/order'])
      expect(JSON.stringify(targetOf(asked({ path, isOpen })))).not.toContain('access-1');
  }
});

test.each([
  ['/repair/order', true],
  ['https://board.test', true],
  ['/help/a.html', true],
  ['/never/built', false],
  ['javascript:alert(1)', false],
])('%s is something that this console has: %s', (path, has) => {
  expect(isOpenable(asked({ path }))).toBe(has);
});

const FOREST = [
  entry({ code: 'home', name: 'Home', path: '/wel/index' }),
  entry({
    code: 'equip',
    name: 'Equipment',
    path: '/equip',
    children: [
      entry({ code: 'soon', path: '/equip/never-built' }),
      entry({ code: 'tv', path: 'https://tv.test', isOpen: 2 }),
      entry({ code: 'secret', path: '/system/user', meta: { roles: ['hr'] } }),
      entry({
        code: 'machines',
        name: 'Machines',
        path: '/equip/all',
        children: [entry({ code: 'machine', path: '/equip/machine', query: { sealed: 0 } })],
      }),
      entry({ code: 'post', path: '/system/post' }),
    ],
  }),
  entry({
    code: 'hidden',
    path: '/x',
    meta: { menu: false },
    children: [entry({ code: 'in', path: '/system/dept' })],
  }),
];

test('the leaves are what is shown and there, with the groups above it', () => {
  expect(leavesOf(FOREST).map(({ node, above }) => [node.code, ...above])).toEqual([
    ['home'],
    ['tv', 'Equipment'],
    ['machine', 'Equipment', 'Machines'],
    ['post', 'Equipment'],
  ]);
});

test('a group leads to its first page: no window, nothing that is hidden or not there', () => {
  expect(firstBelow(FOREST, '/equip')).toBe('/equip/machine?sealed=0');
  expect(firstBelow(FOREST, '/equip/all')).toBe('/equip/machine?sealed=0');
  expect(firstBelow(FOREST, '/wel/index')).toBeUndefined();
  expect(firstBelow(FOREST, '/nowhere')).toBeUndefined();
});

test('entries are found at any depth, by the whole path or code', () => {
  expect(entryAt(FOREST, '/equip/machine')?.code).toBe('machine');
  expect(entryAt(FOREST, '/equip/mach')).toBeUndefined();
  expect(entryWithCode(FOREST, 'post')?.path).toBe('/system/post');
  expect(entryWithCode(FOREST, 'Post')).toBeUndefined();
});
