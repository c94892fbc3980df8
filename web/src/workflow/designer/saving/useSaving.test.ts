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

function begin() {
  const asked = serve({ 'POST /blade-flow/model/submit': () => ({ id: '5', version: 4 }) });
  const { drawing, change } = drawn();
  const hook = renderHook(() => useSaving(drawing, DRAFT));
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
