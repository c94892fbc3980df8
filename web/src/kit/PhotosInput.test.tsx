import { fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { ApiError, api } from '@/api/client';
import { setLanguage } from '@/i18n';
import { draw } from '@/testing/render';
import { FormDrawer } from './FormDrawer';
import { PhotosField } from './fields';

beforeEach(async () => {
  await setLanguage('en-US');
  vi.restoreAllMocks();
});

const picture = (name: string, type = 'image/png') => new File(['x'], name, { type });

function drawForm() {
  const submit = vi.fn(async () => ({}));
  draw(
    <FormDrawer<{ images: string[] }>
      title="Thing"
      initial={{ images: ['/a'] }}
      submit={submit}
      onClose={vi.fn()}
    >
      <PhotosField name="images" label="Photos" max={3} />
    </FormDrawer>,
  );
  return submit;
}

const input = () => document.querySelector('input[type=file]') as HTMLInputElement;

test('saving waits for pictures on their way, and their links join those that are there', async () => {
  const arrive: ((link: string) => void)[] = [];
  vi.spyOn(api, 'upload').mockImplementation(
    () =>
      new Promise((resolve) => {
        arrive.push((link) => resolve({ link, name: '', originalName: '' } as never));
      }),
  );
  const submit = drawForm();
  await userEvent.upload(input(), [picture('1.png'), picture('2.png')]);
  const waiting = await screen.findByRole('button', { name: 'Uploading…' });
  expect(waiting).toHaveProperty('disabled', true);
  expect(arrive).toHaveLength(2);
  expect(input()).toBeNull();
  fireEvent.keyDown(document.querySelector('form') as HTMLElement, { key: 'Enter', ctrlKey: true });
  await waitFor(() => expect(input()).toBeNull());
  expect(submit).not.toHaveBeenCalled();
  arrive[1]?.('/c');
  arrive[0]?.('/b');
  await userEvent.click(await screen.findByRole('button', { name: 'Save' }));
  await waitFor(() => expect(submit.mock.calls).toEqual([[{ images: ['/a', '/c', '/b'] }]]));
});

test('a picture that was refused says why and can be sent again', async () => {
  const upload = vi.spyOn(api, 'upload').mockRejectedValueOnce(new ApiError(400, 'Not a picture'));
  const submit = drawForm();
  await userEvent.upload(input(), [picture('1.png')]);
  expect((await screen.findByRole('alert')).textContent).toBe('1.png failed to upload: Not a picture');
  upload.mockResolvedValueOnce({ link: '/b' } as never);
  await userEvent.click(screen.getByRole('button', { name: /Try again/ }));
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(submit.mock.calls).toEqual([[{ images: ['/a', '/b'] }]]));
});

test('other files and too large ones are not sent', async () => {
  const upload = vi.spyOn(api, 'upload');
  drawForm();
  await userEvent.upload(input(), [picture('1.gif', 'image/gif')], { applyAccept: false });
  expect((await screen.findByRole('alert')).textContent).toBe('Only jpg or png pictures can be uploaded');
  const large = picture('2.png');
  Object.defineProperty(large, 'size', { value: 20 * 2 ** 20 + 1 });
  await userEvent.upload(input(), [large]);
  await waitFor(() => expect(screen.getByRole('alert').textContent).toBe('A picture may not exceed 20 MB'));
  expect(upload).not.toHaveBeenCalled();
});

test('a picture can be taken off', async () => {
  const submit = drawForm();
  await userEvent.click(screen.getByRole('button', { name: 'Remove picture 1' }));
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(submit.mock.calls).toEqual([[{ images: [] }]]));
});
