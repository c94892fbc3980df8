import { screen } from '@testing-library/react';
import { Route, Routes } from 'react-router';
import { beforeEach, expect, test } from 'vitest';
import { setLanguage } from '@/i18n';
import '@/session/sign';
import { beSignedIn, draw } from '@/testing/render';
import { serve } from '@/testing/server';
import Frame from './Frame';
import { frameCode, isFramed, isPath } from './frames';
import { entry } from './testShell';

beforeEach(async () => {
  await setLanguage('en-US');
  beSignedIn();
});

test.each([
  'http://plant.test',
  'https://plant.test/a/b?c=1#d',
  'HTTPS://PLANT.test:8443/',
  'http://192.168.1.9/board',
  '/help/index.html',
  '/help/html/board',
])('%s is shown in a frame', (address) => expect(isFramed(address)).toBe(true));

test.each([
  '',
  'javascript:alert(1)',
  'JavaScript:alert(1)//html',
  ' javascript:alert(1)',
  'java\tscript:alert(1)//html',
  'java\nscript:alert(1)//html',
  'ht\ttp://plant.test',
  'http:\n//plant.test',
  'http://plant.test/\n',
  'data:text/html,<b>x</b>',
  'blob:http://plant.test/1.html',
  'file:///etc/passwd.html',
  'vbscript:html',
  'about:blank#html',
  'ftp://plant.test/a.html',
  'http:plant.test',
  'http:/plant.test',
  'http:\\\\plant.test',
  'http://',
  'http://name:word@plant.test',
  'http://name@plant.test',
  '//plant.test/a.html',
  '/\\plant.test/a.html',
  '\\\\plant.test/a.html',
  '/\t/plant.test/a.html',
  '/\n/plant.test/a.html',
  '\t//plant.test/a.html',
  'plant.test/a.html',
  '/help/index',
])('%j is not', (address) => expect(isFramed(address)).toBe(false));

test.each([
  ['/', true],
  ['/repair/order', true],
  ['/\u5de1\u68c0/a', true],
  ['', false],
  ['repair', false],
  ['//host', false],
  ['/\\host', false],
  ['/a\\b', false],
  ['/\t/host', false],
  ['/\r\n/host', false],
])('%j is a path of this server: %s', (address, is) => expect(isPath(address)).toBe(is));

test('a frame’s address names the entry, and nothing below it does', () => {
  expect(frameCode('/myiframe/board')).toBe('board');
  expect(frameCode('/myiframe/a%20b')).toBe('a b');
  expect(frameCode('/myiframe/a%2Fb%25')).toBe('a/b%');
  expect(frameCode('/myiframe/%')).toBe('%');
  expect(frameCode('/myiframe')).toBeUndefined();
  expect(frameCode('/myiframe/board/more')).toBeUndefined();
  expect(frameCode('/repair/order')).toBeUndefined();
});

const FRAMES = [
  entry({ code: 'board', name: 'Board', path: 'https://board.test/view?line=2' }),
  entry({ code: 'own', name: 'Own', path: `${window.location.origin}/help/a` }),
  entry({ code: 'help', name: 'Help', path: '/help/index.html' }),
  entry({ code: 'bad', name: 'Bad', path: 'javascript:alert(1)//html' }),
  entry({ code: 'order', name: 'Orders', path: '/repair/order' }),
];

async function frame(address: string) {
  serve({ 'GET /blade-system/menu/routes': () => FRAMES });
  draw(
    <Routes>
      <Route path="/myiframe/:code" element={<Frame />} />
    </Routes>,
    address,
  );
}

test('the entry’s page is shown exactly as the menu has it: without the token, and without a referrer', async () => {
  await frame('/myiframe/board?url=https%3A%2F%2Fevil.test&src=javascript:alert(1)');
  const shown = await screen.findByTitle('Board');
  expect(shown.getAttribute('src')).toBe('https://board.test/view?line=2');
  expect(shown.getAttribute('referrerpolicy')).toBe('no-referrer');
  expect(shown.getAttribute('sandbox')).toBe('allow-scripts allow-same-origin allow-forms allow-popups');
  expect(document.body.innerHTML).not.toContain('access-1');
  expect(document.title).toBe('Board - Xunwei');
});

test.each(['own', 'help'])('a page of this server (%s) cannot reach the console’s storage', async (code) => {
  await frame(`/myiframe/${code}`);
  const shown = await screen.findByTitle(code === 'own' ? 'Own' : 'Help');
  expect(shown.getAttribute('sandbox')).toBe('allow-scripts allow-forms');
});

test.each(['bad', 'order', 'nobody'])('%s is not shown', async (code) => {
  await frame(`/myiframe/${code}?path=https%3A%2F%2Fboard.test`);
  expect(await screen.findByText('You have no permission to open this page')).toBeTruthy();
  expect(document.querySelector('iframe')).toBeNull();
});
