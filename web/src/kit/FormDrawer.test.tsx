import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { ApiError } from '@/api/client';
import { setLanguage } from '@/i18n';
import { draw } from '@/testing/render';
import { FormDrawer } from './FormDrawer';
import { DateTimeField, NumberField, PhotosField, SwitchField, TextField } from './fields';

interface Thing {
  name: string;
  size?: number;
  stopped?: number;
  at?: string;
}

beforeEach(() => setLanguage('en-US'));

function form(submit: (values: Thing) => Promise<unknown>, onClose = vi.fn(), initial: Partial<Thing> = {}) {
  return (
    <FormDrawer<Thing> title="Thing" initial={initial} submit={submit} onClose={onClose}>
      <TextField name="name" label="Name" required max={5} />
      <NumberField name="size" label="Size" />
      <SwitchField name="stopped" label="Stopped" />
      <DateTimeField name="at" label="At" />
    </FormDrawer>
  );
}

const save = () => userEvent.click(screen.getByRole('button', { name: 'Save' }));

test('a missing and a too long value are told under the field and nothing is sent', async () => {
  const submit = vi.fn();
  draw(form(submit));
  await save();
  expect(await screen.findByText('Please enter name')).toBeTruthy();
  await userEvent.type(screen.getByLabelText('Name'), 'abcdef');
  expect(await screen.findByText('Name must not exceed 5 characters')).toBeTruthy();
  await save();
  expect(submit).not.toHaveBeenCalled();
});

test('spaces alone are a missing value', async () => {
  const submit = vi.fn();
  draw(form(submit, vi.fn(), { name: '  ' }));
  await save();
  expect(await screen.findByText('Please enter name')).toBeTruthy();
  expect(submit).not.toHaveBeenCalled();
});

test('Ctrl+Enter saves the values as the wire wants them, and the drawer closes', async () => {
  const submit = vi.fn(async () => ({}));
  const onClose = vi.fn();
  draw(form(submit, onClose, { name: 'a', size: 2, stopped: 1, at: '2026-11-21 08:30:00' }));
  await userEvent.click(screen.getByRole('switch'));
  await userEvent.type(screen.getByLabelText('Name'), 'b{Control>}{Enter}{/Control}');
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(1));
  expect(submit.mock.calls).toEqual([[{ name: 'ab', size: 2, stopped: 0, at: '2026-11-21 08:30:00' }]]);
});

test('a double click sends once', async () => {
  const submit = vi.fn(() => new Promise(() => undefined));
  draw(form(submit, vi.fn(), { name: 'a' }));
  await userEvent.dblClick(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(submit).toHaveBeenCalled());
  expect(submit).toHaveBeenCalledTimes(1);
});

test('the server’s sentence stands under its field', async () => {
  const submit = async () => {
    throw new ApiError(400, 'Name is taken', 'input.invalid', { name: 'Name is taken' }, 'req-1');
  };
  const onClose = vi.fn();
  draw(form(submit, onClose, { name: 'a' }));
  await save();
  const told = await screen.findAllByText('Name is taken');
  expect(told).toHaveLength(1);
  expect(told[0]?.closest('.ant-form-item-explain')).toBeTruthy();
  expect(onClose).not.toHaveBeenCalled();
});

test('a refusal that belongs to no field stands at the bar, with the request id', async () => {
  const submit = async () => {
    throw new ApiError(409, 'Changed by Li', 'data.stale', {}, 'req-2');
  };
  draw(form(submit, vi.fn(), { name: 'a' }));
  await save();
  expect((await screen.findByText('Changed by Li')).closest('.x-bar')).toBeTruthy();
  expect(screen.getByText('Request req-2')).toBeTruthy();
});

test('an unchanged form closes at once, a changed one asks', async () => {
  const onClose = vi.fn();
  draw(form(vi.fn(), onClose, { name: 'a' }));
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(onClose).toHaveBeenCalledTimes(1);
  await userEvent.type(screen.getByLabelText('Name'), 'b');
  await userEvent.keyboard('{Escape}');
  await screen.findAllByText('Discard your changes?');
  expect(document.querySelectorAll('.ant-modal-confirm')).toHaveLength(1);
  expect(onClose).toHaveBeenCalledTimes(1);
  await userEvent.click(screen.getByRole('button', { name: 'Discard' }));
  await waitFor(() => expect(onClose).toHaveBeenCalledTimes(2));
});

test('a change taken back does not ask', async () => {
  const onClose = vi.fn();
  draw(form(vi.fn(), onClose, { name: 'a' }));
  await userEvent.type(screen.getByLabelText('Name'), 'b{Backspace}');
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(onClose).toHaveBeenCalledTimes(1);
});

test('required photos are missing while the list is empty', async () => {
  const submit = vi.fn();
  draw(
    <FormDrawer<{ images: string[] }>
      title="Thing"
      initial={{ images: [] }}
      submit={submit}
      onClose={vi.fn()}
    >
      <PhotosField name="images" label="Photos" required />
    </FormDrawer>,
  );
  await save();
  expect(await screen.findByText('Please select photos')).toBeTruthy();
  expect(submit).not.toHaveBeenCalled();
});
