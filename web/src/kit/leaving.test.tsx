import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { useLocation } from 'react-router';
import { beforeEach, expect, test, vi } from 'vitest';
import { setLanguage } from '@/i18n';
import { draw } from '@/testing/render';
import { ConfirmDialog } from './ConfirmDialog';
import { FormDrawer } from './FormDrawer';
import { TextField } from './fields';

beforeEach(() => setLanguage('en-US'));

/** A page with a form in a drawer, and in that a question. */
function Page() {
  const [open, setOpen] = useState(false);
  const [asks, setAsks] = useState(false);
  return (
    <>
      <h1>{useLocation().pathname}</h1>
      <button type="button" onClick={() => setOpen(true)}>
        Open
      </button>
      {open && (
        <FormDrawer<{ name: string }> title="Thing" submit={vi.fn()} onClose={() => setOpen(false)}>
          <TextField name="name" label="Name" />
          <button type="button" onClick={() => setAsks(true)}>
            Ask
          </button>
        </FormDrawer>
      )}
      {asks && (
        <ConfirmDialog title="Sure?" okText="Yes" run={async () => ({})} onClose={() => setAsks(false)} />
      )}
    </>
  );
}

/** Two pages visited, the second in front; `back` is the browser's. */
async function visitTwo() {
  const { router } = draw(<Page />, '/first');
  await act(() => router.navigate('/second'));
  const at = () => router.state.location.pathname;
  return { router, at, back: () => act(() => router.navigate(-1)) };
}

const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const drawer = () => screen.queryByRole('dialog', { name: 'Thing' });

test('Back closes what lies over the page one after the other, and then leaves the page', async () => {
  const { at, back } = await visitTwo();
  await press('Open');
  await press('Ask');
  expect(screen.getByText('Sure?')).toBeTruthy();
  await back();
  await waitFor(() => expect(screen.queryByText('Sure?')).toBeNull());
  expect([at(), drawer() !== null]).toEqual(['/second', true]);
  await back();
  await waitFor(() => expect(drawer()).toBeNull());
  expect(at()).toBe('/second');
  await back();
  expect(at()).toBe('/first');
});

test('what is closed by its button leaves nothing in the history', async () => {
  const { at, back } = await visitTwo();
  await press('Open');
  await press('Cancel');
  await waitFor(() => expect(drawer()).toBeNull());
  await back();
  expect(at()).toBe('/first');
});

test('Back asks before it closes a changed form, and once more means to stay', async () => {
  const { at, back } = await visitTwo();
  await press('Open');
  await userEvent.type(screen.getByLabelText('Name'), 'x');
  await back();
  await screen.findAllByText('Discard your changes?');
  await back();
  await waitFor(() => expect(screen.queryByText('Discard your changes?')).toBeNull());
  expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('x');
  expect(at()).toBe('/second');
  await back();
  await userEvent.click(await screen.findByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(drawer()).toBeNull());
  expect(at()).toBe('/second');
});

test('a link leads away from an open dialog, and a changed form asks before that', async () => {
  const { router, at } = await visitTwo();
  await press('Open');
  await userEvent.type(screen.getByLabelText('Name'), 'x');
  await act(() => router.navigate('/third'));
  expect(at()).toBe('/second');
  await userEvent.click(await screen.findByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(at()).toBe('/third'));
});

test('a window with something unsaved asks before it is closed', async () => {
  await visitTwo();
  await press('Open');
  const close = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  expect(close()).toBe(true);
  await userEvent.type(screen.getByLabelText('Name'), 'x');
  expect(close()).toBe(false);
});
