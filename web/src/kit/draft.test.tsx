import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { setLanguage } from '@/i18n';
import { dropAllDrafts, hasDrafts } from '@/session/drafts';
import { clearSession, keepSession } from '@/session/session';
import { signOut } from '@/session/sign';
import { beSignedIn, draw, TOKEN } from '@/testing/render';
import { serve } from '@/testing/server';
import { FormDrawer } from './FormDrawer';
import { PhotosField, TextField } from './fields';

const PLACE = 'xunwei.draft.100001.7.thing.5';
const kept = () => JSON.parse(localStorage.getItem(PLACE) ?? 'null') as { values: object } | null;

interface Thing {
  name: string;
  pin?: string;
  remark?: string;
  images?: string[];
}

beforeEach(async () => {
  await setLanguage('en-US');
  beSignedIn();
});

/** The form as a page that is loaded anew shows it. */
function open({ version = 1, name = 'a', submit = vi.fn(async (_: Thing) => ({})), onClose = vi.fn() } = {}) {
  const view = draw(
    <FormDrawer<Thing>
      title="Thing"
      initial={{ name, remark: 'old' }}
      draft={{ name: 'thing.5', without: ['pin'], version }}
      submit={submit}
      onClose={onClose}
    >
      <TextField name="name" label="Name" />
      <TextField name="remark" label="Remark" />
      <TextField name="pin" label="Pin" />
      <PhotosField name="images" label="Photos" />
    </FormDrawer>,
  );
  return { ...view, submit, onClose };
}

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const press = (name: string) => userEvent.click(screen.getByRole('button', { name }));
const note = () => screen.queryByText(/^Restored your unsubmitted entries of \d\d-\d\d \d\d:\d\d$/);

/** Opens it, types, and closes the tab. */
async function begin(text = 'b') {
  const { unmount } = open();
  await userEvent.type(field('Name'), text);
  await waitFor(() => expect(kept()?.values).toEqual({ name: `a${text}` }));
  unmount();
}

test('what was entered is there again with a note, and gone once it was saved', async () => {
  await begin();
  const { submit, onClose } = open();
  expect(note()).toBeTruthy();
  expect([field('Name').value, field('Remark').value]).toEqual(['ab', 'old']);
  await press('Save');
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
  expect(submit.mock.calls[0]?.[0]).toMatchObject({ name: 'ab', remark: 'old' });
  expect(kept()).toBeNull();
});

test('opening a form leaves nothing behind, nor does a change taken back', async () => {
  open();
  expect([kept(), note()]).toEqual([null, null]);
  await userEvent.type(field('Name'), 'b');
  await waitFor(() => expect(kept()).not.toBeNull());
  await userEvent.type(field('Name'), '{Backspace}');
  await waitFor(() => expect(kept()).toBeNull());
});

test('a draft is discarded by its note, and by leaving without saving', async () => {
  await begin();
  const { unmount, onClose } = open();
  await press('Discard');
  expect([field('Name').value, kept(), note()]).toEqual(['a', null, null]);
  await press('Cancel');
  expect(onClose).toHaveBeenCalledTimes(1);
  unmount();
  await begin();
  const second = open();
  await press('Cancel');
  await screen.findAllByText('Discard your changes?');
  await userEvent.click(screen.getAllByRole('button', { name: 'Discard' }).at(-1) as HTMLElement);
  await waitFor(() => expect(second.onClose).toHaveBeenCalledTimes(1));
  expect(kept()).toBeNull();
});

test('of a record that was changed since only what was entered is restored, and it says so', async () => {
  await begin();
  open({ version: 2, name: 'other' });
  expect(
    screen.getByText('The record has been changed since. Check your entries before you submit them.'),
  ).toBeTruthy();
  expect(field('Name').value).toBe('ab');
});

test('a secret is not kept, and the window asks before it is closed', async () => {
  open();
  const close = () => window.dispatchEvent(new Event('beforeunload', { cancelable: true }));
  await userEvent.type(field('Name'), 'b');
  await waitFor(() => expect(kept()).not.toBeNull());
  expect(close()).toBe(true);
  await userEvent.type(field('Pin'), 'opensesame');
  await waitFor(() => expect(close()).toBe(false));
  expect(kept()?.values).toEqual({ name: 'ab' });
  expect(JSON.stringify({ ...localStorage })).not.toContain('opensesame');
});

test('two tabs fill in the same form: the one that saves does not take the other’s away', async () => {
  const first = open();
  await userEvent.type(field('Name'), 'b');
  await waitFor(() => expect(kept()).not.toBeNull());
  const other = { at: Date.now() + 5, version: 1, values: { name: 'of the other tab' } };
  localStorage.setItem(PLACE, JSON.stringify(other));
  await press('Save');
  await waitFor(() => expect(first.onClose).toHaveBeenCalledTimes(1));
  expect(kept()).toEqual(other);
});

test('pictures stay while their links are good; the others are left out, and it says so', async () => {
  const until = (seconds: number) =>
    `/api/f/${seconds}.jpg?until=${Math.round(Date.now() / 1000) + seconds}&mark=x`;
  const [good, over] = [until(600), until(-600)];
  localStorage.setItem(
    PLACE,
    JSON.stringify({ at: Date.now(), version: 1, values: { images: [good, over] } }),
  );
  const { submit } = open();
  expect(screen.getByText('The link to 1 file has expired. Please upload it again.')).toBeTruthy();
  await press('Save');
  await waitFor(() => expect(submit).toHaveBeenCalled());
  expect(submit.mock.calls[0]?.[0].images).toEqual([good]);
});

test('an ended session keeps drafts, for nobody else; signing out removes one’s own', async () => {
  serve({ 'GET /blade-auth/oauth/logout': () => null });
  await begin();
  clearSession(true);
  expect(kept()).not.toBeNull();
  keepSession({ ...TOKEN, user_id: '8' });
  expect(hasDrafts()).toBe(false);
  dropAllDrafts();
  expect(kept()).not.toBeNull();
  beSignedIn();
  expect(hasDrafts()).toBe(true);
  await signOut();
  expect(kept()).toBeNull();
});
