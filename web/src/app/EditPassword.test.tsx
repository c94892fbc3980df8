import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test } from 'vitest';
import { setLanguage } from '@/i18n';
import { keepSession } from '@/session/session';
import '@/session/sign';
import { TOKEN } from '@/testing/render';
import { openAt } from './testShell';

beforeEach(async () => {
  await setLanguage('en-US');
});

async function change(at: () => string) {
  await waitFor(() => expect(at()).toBe('/editPassword'));
  await userEvent.type(await screen.findByLabelText('Old password'), 'first123');
  await userEvent.type(screen.getByLabelText('New password'), 'second123');
  await userEvent.type(screen.getByLabelText('Confirm password'), 'second123');
  await userEvent.click(screen.getByRole('button', { name: 'Change and continue' }));
}

test('the first sign-in ends at home once the password is one’s own', async () => {
  keepSession({ ...TOKEN, must_change_password: 1 });
  const { at, log } = openAt('/repair/order', { 'POST /blade-auth/oauth/update-password': () => null });
  await change(at);
  await waitFor(() => expect(at()).toBe('/wel/index'));
  expect(log.filter((one) => one.path === '/blade-auth/oauth/update-password')).toHaveLength(1);
});
