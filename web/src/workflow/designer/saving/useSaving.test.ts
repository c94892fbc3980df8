import { act, renderHook } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Wire } from '@/api/wire';
import { beSignedIn } from '@/testing/render';
import { serve } from '@/testing/server';
import type { Drawing } from '../canvas/drawing';
import { useSaving } from './useSaving';

const SUBMIT = '/blade-flow/model/submit';

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
  const asked = serve({ [`POST ${SUBMIT}`]: () => ({ id: '5', version: 4 }) });
  // What an earlier file left under way may still ask for something within these minutes.
  const sent = () => asked.filter(({ path }) => path === SUBMIT);
  const { drawing, change } = drawn();
  const hook = renderHook(() => useSaving(drawing, draft));
  return { sent, change, hook };
}

test('leaving the designer sends at once what is not saved yet', async () => {
  const { sent, change, hook } = begin();
  act(() => change());
  expect(sent()).toEqual([]);
  hook.unmount();
  await vi.advanceTimersByTimeAsync(1);
  expect(sent().map(({ body }) => body)).toEqual([
    { id: '5', version: 3, xml: '<a/>', name: 'Pump', modelKey: 'pump', auto: 1 },
  ]);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent()).toHaveLength(1);
});

test('leaving sends nothing when nothing was changed; an import is no change', async () => {
  const { sent, change, hook } = begin();
  act(() => change({ trigger: 'clear' }));
  hook.unmount();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent()).toEqual([]);
});

test('a model without a draft gets one with the first change, and not before', async () => {
  const { sent, change, hook } = begin({
    ...DRAFT,
    id: '',
    version: 0,
    category: 'flow_1',
    note: 'From 3',
  } as never);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent()).toEqual([]);
  act(() => change());
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  expect(hook.result.current.saver?.id).toBe('5');
  act(() => change());
  await act(() => vi.advanceTimersByTimeAsync(60_000));
  const drawing = { xml: '<a/>', name: 'Pump', modelKey: 'pump' };
  expect(sent().map(({ body }) => body)).toEqual([
    { category: 'flow_1', ...drawing, note: 'From 3' },
    { id: '5', version: 4, ...drawing, auto: 1 },
  ]);
});

test('what is deployed without a change becomes a draft first', async () => {
  const { sent, hook } = begin({
    ...DRAFT,
    id: '',
    version: 0,
    category: 'flow_1',
    note: 'From 3',
  } as never);
  await act(async () => {
    await hook.result.current.saver?.saveToDeploy();
  });
  expect(sent().map(({ body }) => body)).toEqual([
    { category: 'flow_1', xml: '<a/>', name: 'Pump', modelKey: 'pump', note: 'From 3' },
  ]);
});
