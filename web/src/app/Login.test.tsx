import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { setLanguage } from '@/i18n';
import { currentSession } from '@/session/session';
import '@/session/sign';
import { draw, TOKEN } from '@/testing/render';
import { Bare, serve } from '@/testing/server';
import Login from './Login';

const SIGN_IN = 'POST /equip-auth/oauth/token';
const site = (captchaMode: string) => ({
  'GET /xunwei/site': () => ({
    captchaMode,
    version: '1',
    tenants: [
      { tenantId: '100001', tenantName: 'Jiangbei' },
      { tenantId: '100002', tenantName: 'Yunling' },
    ],
  }),
});

beforeEach(() => setLanguage('en-US'));

async function fill(tenant = '100001') {
  await userEvent.type(await screen.findByLabelText('Tenant'), tenant);
  await userEvent.type(screen.getByLabelText('Account'), 'qian.w');
  await userEvent.type(screen.getByLabelText('Password'), 'abc');
}

test('empty fields are named and nothing is sent', async () => {
  const log = serve(site('off'));
  draw(<Login />);
  await userEvent.click(await screen.findByRole('button', { name: 'Sign in' }));
  expect(await screen.findByText('Please enter tenant')).toBeTruthy();
  expect(screen.getByText('Please enter account')).toBeTruthy();
  expect(screen.getByText('Please enter password')).toBeTruthy();
  expect(screen.queryByLabelText('Captcha')).toBeNull();
  expect(log.map((asked) => asked.path)).toEqual(['/xunwei/site']);
});

test('a tenant that is not listed may be typed, and the person goes where they wanted to go', async () => {
  const log = serve({ ...site('off'), [SIGN_IN]: () => new Bare(TOKEN) });
  const { router } = draw(<Login />);
  await fill('900009');
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
  await waitFor(() => expect(router.state.location.pathname).toBe('/'));
  expect(log.at(-1)?.body).toMatchObject({ tenantId: '900009', username: 'qian.w', grant_type: 'password' });
  expect(currentSession()?.access).toBe('access-1');
});

test('a refusal stands on the page, and the captcha, which counts once, is a new one', async () => {
  let pictures = 0;
  const captcha = () => {
    pictures += 1;
    const found = { key: `k${pictures}`, image: `data:image/png;base64,${pictures}` };
    return new Bare({ code: 200, ...found, data: found });
  };
  const log = serve({
    ...site('image'),
    'GET /blade-auth/oauth/captcha': captcha,
    [SIGN_IN]: () => new Bare({ error_code: 400, error_description: 'Wrong captcha' }),
  });
  draw(<Login />);
  await fill();
  await userEvent.type(await screen.findByLabelText('Captcha'), 'zzzz');
  await userEvent.click(screen.getByRole('button', { name: 'Sign in' }));
  expect(await screen.findByText('Wrong captcha')).toBeTruthy();
  const sent = log.find((asked) => asked.method === 'POST');
  expect(sent?.headers).toMatchObject({ 'Captcha-Key': 'k1', 'Captcha-Code': 'zzzz' });
  await waitFor(() => expect(pictures).toBe(2));
  expect((screen.getByLabelText('Captcha') as HTMLInputElement).value).toBe('');
  expect(currentSession()).toBeUndefined();
});
