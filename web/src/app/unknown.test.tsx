import { screen } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { setLanguage } from '@/i18n';
import '@/session/sign';
import { beSignedIn } from '@/testing/render';
import { openAt } from './testShell';

beforeEach(async () => {
  await setLanguage('en-US');
});

test('an address that leads nowhere keeps the menu, and stays to be put right', async () => {
  beSignedIn();
  const { router } = openAt('/no/such/page');
  await screen.findByRole('heading', { name: 'Page not found' });
  await screen.findByRole('navigation', { name: 'Main navigation' });
  expect(router.state.location.pathname).toBe('/no/such/page');
});

test('who is not signed in is asked to sign in first', async () => {
  const { router } = openAt('/no/such/page');
  await screen.findByRole('heading', { name: 'Sign in' });
  expect(router.state.location.pathname).toBe('/login');
});
