import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ApiError, api } from '@/api/client';
import { setLanguage } from '@/i18n';
import { draw } from '@/testing/render';
import { FormDrawer } from './FormDrawer';
import { VoiceField } from './fields';

/** A microphone, and a recorder that gives what was said when it is stopped. */
const microphone = { track: { stop: vi.fn() }, ask: vi.fn() };

class FakeRecorder {
  static isTypeSupported = (type: string) => type === 'audio/mp4';
  state = 'inactive';
  ondataavailable?: (event: { data: Blob }) => void;
  onstop?: () => void;
  constructor(
    readonly stream: unknown,
    readonly options: { mimeType: string },
  ) {}
  start() {
    this.state = 'recording';
  }
  stop() {
    this.state = 'inactive';
    this.ondataavailable?.({ data: new Blob(['said']) });
    this.onstop?.();
  }
}

beforeEach(async () => {
  await setLanguage('en-US');
  vi.restoreAllMocks();
  microphone.track.stop = vi.fn();
  microphone.ask = vi.fn(async () => ({ getTracks: () => [microphone.track] }));
  vi.stubGlobal('MediaRecorder', FakeRecorder);
  vi.stubGlobal('navigator', {
    ...navigator,
    userAgent: navigator.userAgent,
    mediaDevices: { getUserMedia: (wish: unknown) => microphone.ask(wish) },
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function drawForm() {
  const submit = vi.fn(async () => ({}));
  const drawn = draw(
    <FormDrawer<{ voice?: string }> title="Thing" submit={submit} onClose={vi.fn()}>
      <VoiceField name="voice" label="Voice" />
    </FormDrawer>,
  );
  return { submit, ...drawn };
}

const button = (name: string) => screen.getByRole('button', { name });
const record = () => fireEvent.click(button('audio Record'));
const save = async () => userEvent.click(await screen.findByRole('button', { name: 'Save' }));
const player = () => screen.findByLabelText('Listen to the recording');
const input = () => document.querySelector('input[type=file]') as HTMLInputElement;
const stores = () =>
  vi.spyOn(api, 'upload').mockResolvedValue({ link: '/f/1.m4a', originalName: 'voice.m4a' } as never);

test('what is said is sent when it is stopped, can be heard, and goes with the form; it can be removed', async () => {
  const upload = stores();
  const { submit } = drawForm();
  record();
  const stop = await screen.findByRole('button', { name: 'Stop' });
  expect(microphone.ask.mock.calls).toEqual([[{ audio: true }]]);
  expect(screen.getByRole('timer').textContent).toBe('0:00 / 1:00');
  // What is being said is not left behind.
  expect(await screen.findByRole('button', { name: 'Uploading…' })).toHaveProperty('disabled', true);
  fireEvent.click(stop);
  expect(await player()).toHaveProperty('src', expect.stringContaining('/f/1.m4a'));
  expect(microphone.track.stop).toHaveBeenCalledOnce();
  const [path, content, options] = upload.mock.calls[0] ?? [];
  const file = content as File;
  expect([path, options?.query]).toEqual(['/blade-resource/oss/endpoint/put-file', { place: 'voice' }]);
  expect([file.name, file.type, await file.text()]).toEqual(['voice.m4a', 'audio/mp4', 'said']);
  await save();
  await waitFor(() => expect(submit.mock.calls).toEqual([[{ voice: '/f/1.m4a' }]]));
  await userEvent.click(button('Remove the recording'));
  expect(await screen.findByRole('button', { name: 'audio Record' })).toBeTruthy();
  await save();
  await waitFor(() => expect(submit.mock.calls[1]).toEqual([{ voice: undefined }]));
});

test('the time runs, and at a minute it stops by itself', async () => {
  vi.useFakeTimers();
  const upload = stores();
  drawForm();
  await act(async () => record());
  await act(async () => vi.advanceTimersByTime(7_300));
  expect(screen.getByRole('timer').textContent).toBe('0:07 / 1:00');
  await act(async () => vi.advanceTimersByTime(52_600));
  expect(upload).not.toHaveBeenCalled();
  await act(async () => vi.advanceTimersByTime(100));
  expect(upload).toHaveBeenCalledOnce();
  expect(screen.queryByRole('timer')).toBeNull();
  expect(screen.getByText('1:00')).toBeTruthy();
});

test('a browser without a recorder says so and offers to choose a file', async () => {
  vi.stubGlobal('MediaRecorder', undefined);
  const upload = stores();
  const { submit } = drawForm();
  expect(screen.getByRole('status').textContent).toBe(
    'Recording is not available: the browser does not support it, or the address is not https. Please choose a recording.',
  );
  expect(screen.queryByRole('button', { name: 'audio Record' })).toBeNull();
  const large = new File(['x'], 'long.wav', { type: 'audio/wav' });
  Object.defineProperty(large, 'size', { value: 12 * 2 ** 20 + 1 });
  await userEvent.upload(input(), large);
  expect(screen.getByRole('alert').textContent).toBe('A file may not exceed 12 MB');
  expect(upload).not.toHaveBeenCalled();
  await userEvent.upload(input(), new File(['x'], 'said.mp3', { type: 'audio/mpeg' }));
  await player();
  await save();
  await waitFor(() => expect(submit.mock.calls).toEqual([[{ voice: '/f/1.m4a' }]]));
});

test.each([
  [
    'NotAllowedError',
    'Microphone access is blocked. Allow it in the browser settings, or choose a recording.',
  ],
  ['NotFoundError', 'No microphone was found. You can choose a recording.'],
])('after %s it says why, offers a file, and can be tried again', async (name, text) => {
  drawForm();
  expect(screen.getByText('At most 60 s')).toBeTruthy();
  expect(input()).toBeNull();
  microphone.ask.mockRejectedValueOnce(new DOMException('no', name));
  record();
  expect((await screen.findByRole('status')).textContent).toContain('Requesting');
  expect(await screen.findByText(text)).toBeTruthy();
  expect(input()).toBeTruthy();
  expect(await screen.findByRole('button', { name: 'Save' })).toHaveProperty('disabled', false);
  record();
  expect(await screen.findByRole('timer')).toBeTruthy();
});

test('a refused recording is kept to be sent again', async () => {
  const upload = stores().mockRejectedValueOnce(new ApiError(0, 'No connection'));
  const { submit } = drawForm();
  record();
  fireEvent.click(await screen.findByRole('button', { name: 'Stop' }));
  expect((await screen.findByRole('alert')).textContent).toBe('No connection');
  await userEvent.click(button('reload Try again'));
  await player();
  expect(upload.mock.calls[1]?.[1]).toBe(upload.mock.calls[0]?.[1]);
  await save();
  await waitFor(() => expect(submit.mock.calls).toEqual([[{ voice: '/f/1.m4a' }]]));
});

test('whoever leaves is not recorded any longer, and nothing is sent', async () => {
  const upload = stores();
  const { unmount } = drawForm();
  record();
  await screen.findByRole('timer');
  expect(microphone.track.stop).not.toHaveBeenCalled();
  unmount();
  expect(microphone.track.stop).toHaveBeenCalledOnce();
  expect(upload).not.toHaveBeenCalled();
});
