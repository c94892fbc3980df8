import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, test, vi } from 'vitest';
import { ApiError, api } from '@/api/client';
import { setLanguage } from '@/i18n';
import { fileName, namedLink } from '@/lib/fileLinks';
import { draw } from '@/testing/render';
import { FilesInput } from './FilesInput';
import { FormDrawer } from './FormDrawer';
import { FilesField } from './fields';

beforeEach(async () => {
  await setLanguage('en-US');
  vi.restoreAllMocks();
});

function drawForm() {
  const submit = vi.fn(async () => ({}));
  draw(
    <FormDrawer<{ files: string[] }>
      title="Thing"
      initial={{ files: ['/f/a%20b.pdf?sign=1'] }}
      submit={submit}
      onClose={vi.fn()}
    >
      <FilesField name="files" label="Files" max={3} />
    </FormDrawer>,
  );
  return submit;
}

const PUT = '/blade-resource/oss/endpoint/put-file';
const input = () => document.querySelector('input[type=file]') as HTMLInputElement;
const file = (name: string) => new File(['x'], name);
const save = () => userEvent.click(screen.getByRole('button', { name: 'Save' }));

test('a file is called by the last part of its link', () => {
  expect(fileName('/f/a%20b.pdf?sign=1')).toBe('a b.pdf');
  expect(fileName('/f/100%.pdf')).toBe('100%.pdf');
  expect(fileName('')).toBe('');
  expect(fileName(namedLink('/f/9.pdf?sign=1', '报价 #2.pdf'))).toBe('报价 #2.pdf');
});

test('what arrives joins what is there, under the name it had here; one can be taken off', async () => {
  vi.spyOn(api, 'upload').mockResolvedValue({ link: '/f/9', originalName: 'plan.pdf' } as never);
  const submit = drawForm();
  await userEvent.upload(input(), file('plan.pdf'));
  expect(await screen.findByRole('link', { name: 'plan.pdf' })).toHaveProperty('pathname', '/f/9');
  await userEvent.click(screen.getByRole('button', { name: 'Remove a b.pdf' }));
  await save();
  await waitFor(() => expect(submit.mock.calls).toEqual([[{ files: ['/f/9#plan.pdf'] }]]));
});

test('a refused file says why and is not sent with the form; no more than fit are taken', async () => {
  const upload = vi.spyOn(api, 'upload').mockRejectedValue(new ApiError(400, 'No such type'));
  const submit = drawForm();
  await userEvent.upload(input(), [file('1.exe'), file('2.exe'), file('3.exe')], { applyAccept: false });
  expect(await screen.findAllByText('No such type')).toHaveLength(2);
  const placed = [PUT, { place: 'file' }];
  expect(upload.mock.calls.map(([path, , options]) => [path, options?.query])).toEqual([placed, placed]);
  await save();
  await waitFor(() => expect(submit.mock.calls).toEqual([[{ files: ['/f/a%20b.pdf?sign=1'] }]]));
});

test('too large a file is not sent', async () => {
  const upload = vi.spyOn(api, 'upload');
  draw(<FilesInput max={3} />);
  const large = file('1.zip');
  Object.defineProperty(large, 'size', { value: 20 * 2 ** 20 + 1 });
  await userEvent.upload(input(), large);
  expect(screen.getByRole('alert').textContent).toBe('A file may not exceed 20 MB');
  expect(upload).not.toHaveBeenCalled();
});
