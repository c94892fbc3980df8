import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Wire } from '@/api/wire';
import { beSignedIn } from '@/testing/render';
import { serve } from '@/testing/server';
import type { Drawing } from '../canvas/drawing';
import { useSaving } from './useSaving';

const DRAFT = { id: '5', version: 3, name: 'Pump' } as Wire<'ModelDetail'>;

/** A drawing that can be changed and read, without a canvas. */
function drawn() {
  const listeners = new Set<(event: object) => void>();
  const events = {
    on: (_: string, listener: (event: object) => void) => listeners.add(listener),
    off: (_: string, listener: (event: object) => void) => listeners.delete(listener),
  };
  const drawing = {
    get: () => events,
    saveXML: async () => ({ xml: '<a/>' }),
    getDefinitions: () => ({ rootElements: [{ $type: 'bpmn:Process', id: 'pump', name: 'Pump' }] }),
  };
  const change = (event: object = { trigger: 'execute' }) => {
    for (const listener of listeners) listener(event);
  };
  return { drawing: drawing as unknown as Drawing, change };
}

beforeEach(() => {
  vi.useFakeTimers();
  beSignedIn();
});
afterEach(() => vi.useRealTimers());

function begin(draft = DRAFT) {
  const asked = serve({ 'POST /blade-flow/model/submit': () => ({ id: '5', version: 4 }) });
  const { drawing, change } = drawn();
  const hook = renderHook(() => useSaving(drawing, draft));
  return { asked, change, hook };
}

test('leaving the designer sends at once what is not saved yet', async () => {
  const { asked, change, hook } = begin();
  act(() => change());
  expect(asked).toEqual([]);
  hook.unmount();
  await vi.advanceTimersByTimeAsync(1);
  expect(asked.map(({ body }) => body)).toEqual([
    { id: '5', version: 3, xml: '<a/>', name: 'Pump', modelKey: 'pump', auto: 1 },
  ]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toHaveLength(1);
});

test('leaving sends nothing when nothing was changed; an import is no change', async () => {
  const { asked, change, hook } = begin();
  act(() => change({ trigger: 'clear' }));
  hook.unmount();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toEqual([]);
});

test('a model without a draft gets one with the first change, and not before', async () => {
  const { asked, change, hook } = begin({
    ...DRAFT,
    id: '',
    version: 0,
    category: 'flow_1',
    note: 'From 3',
  } as never);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked).toEqual([]);
  act(() => change());
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(hook.result.current.saver?.id).toBe('5');
  act(() => change());
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  const drawing = { xml: '<a/>', name: 'Pump', modelKey: 'pump' };
  expect(asked.map(({ body }) => body)).toEqual([
    { category: 'flow_1', ...drawing, note: 'From 3' },
    { id: '5', version: 4, ...drawing, auto: 1 },
  ]);
});

test('what is deployed without a change becomes a draft first', async () => {
  const { asked, hook } = begin({
    ...DRAFT,
    id: '',
    version: 0,
    category: 'flow_1',
    note: 'From 3',
  } as never);
  await act(async () => {
    await hook.result.current.saver?.saveToDeploy();
  });
  expect(asked.map(({ body }) => body)).toEqual([
    { category: 'flow_1', xml: '<a/>', name: 'Pump', modelKey: 'pump', note: 'From 3' },
  ]);
});
