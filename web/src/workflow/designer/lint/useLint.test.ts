import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { beSignedIn } from '@/testing/render';
import { serve } from '@/testing/server';
import type { Drawing } from '../canvas/drawing';
import { useLint } from './useLint';

beforeEach(() => {
  vi.useFakeTimers();
  beSignedIn();
});
afterEach(() => vi.useRealTimers());

/** A drawing of which nothing but its text is asked. */
const drawn = (text: () => string) => ({ saveXML: async () => ({ xml: text() }) }) as unknown as Drawing;

const problem = (text: string) => ({ element: 'a', severity: 'error', text });

test('an answer that comes late does not replace the newer one', async () => {
  const answers: ((report: object) => void)[] = [];
  serve({ 'POST /blade-flow/model/validate': () => new Promise((resolve) => answers.push(resolve)) });
  let text = '<first/>';
  const drawing = drawn(() => text);
  const hook = renderHook(({ changes }) => useLint(drawing, changes), { initialProps: { changes: 0 } });
  await act(() => vi.advanceTimersByTimeAsync(1000));
  text = '<second/>';
  hook.rerender({ changes: 1 });
  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(answers).toHaveLength(2);
  await act(async () => answers[1]?.({ problems: [problem('of the second')] }));
  await act(() => vi.advanceTimersByTimeAsync(1));
  expect(hook.result.current).toEqual([problem('of the second')]);
  await act(async () => answers[0]?.({ problems: [problem('of the first')] }));
  await act(() => vi.advanceTimersByTimeAsync(1));
  expect(hook.result.current).toEqual([problem('of the second')]);
  hook.unmount();
});

test('it asks once the hand rests, and is told of every text read', async () => {
  const asked = serve({ 'POST /blade-flow/model/validate': () => ({ problems: [] }) });
  const read = vi.fn();
  const drawing = drawn(() => '<a/>');
  const hook = renderHook(({ changes }) => useLint(drawing, changes, read), { initialProps: { changes: 0 } });
  for (const changes of [1, 2, 3]) {
    await act(() => vi.advanceTimersByTimeAsync(100));
    hook.rerender({ changes });
  }
  expect(asked).toEqual([]);
  await act(() => vi.advanceTimersByTimeAsync(1000));
  expect(asked.map(({ body }) => body)).toEqual([{ xml: '<a/>' }]);
  expect(read.mock.calls).toEqual([['<a/>']]);
  hook.unmount();
});
