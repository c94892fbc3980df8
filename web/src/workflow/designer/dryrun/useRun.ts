/** The run itself: every act asks the server, which replays all of them on the engine without any effect. */
import { useQuery } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { ApiError, api } from '@/api/client';
import { useDebounced } from '@/kit/useDebounced';
import { type Drawing, xmlOf } from '../canvas/drawing';
import { useDesigner } from '../context';
import { pause, wantsRest } from './motion';
import {
  type Act,
  type Answer,
  actsSoFar,
  begun,
  lookingAt,
  type Run,
  refusalOf,
  type Start,
  taken,
} from './run';
import { moveAlong } from './useMarks';

/** How long one looks at a step in a replay before the next one begins. */
const LOOK = 700;

/** The run of a drawing outlives the drawer, which may show something else for a while. */
const kept = new WeakMap<Drawing, Run>();

function ask(start: Start, acts: readonly Act[]): Promise<Answer> {
  return api.post('/blade-flow/model/dry-run', { ...start, acts: [...acts] });
}

/** What was refused belongs to the form that sent it. */
function accepted(answer: Answer): Answer {
  const refusal = refusalOf(answer);
  if (refusal) throw new ApiError(400, refusal.message, '', refusal.fields);
  return answer;
}

/** What the start asks, or why the drawing does not run: told before anybody starts. */
export function useEntry() {
  const { drawing, changes } = useDesigner();
  const settled = useDebounced(changes);
  return useQuery({
    queryKey: ['flow', 'dryrun', settled],
    queryFn: async () => {
      const xml = await xmlOf(drawing);
      return { xml, answer: await ask({ xml }, []) };
    },
    gcTime: 0,
    placeholderData: (before) => before,
  });
}

/** Labels of operations and names that the process may use. */
export function useCatalogue(key: string) {
  return useQuery({
    queryKey: ['flow', 'catalogue', key],
    queryFn: ({ signal }) => api.get('/blade-flow/model/catalogue', { key }, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function useRun() {
  const { drawing, changes } = useDesigner();
  const [run, setRun] = useState(() => kept.get(drawing));
  const [playing, setPlaying] = useState(false);
  const player = useRef<AbortController>(undefined);

  const stop = useCallback(() => player.current?.abort(), []);
  useEffect(() => stop, [stop]);
  useEffect(() => {
    if (run) kept.set(drawing, run);
    else kept.delete(drawing);
  }, [drawing, run]);

  const begin = async (start: Start) => {
    stop();
    const answer = accepted(await ask(start, []));
    setRun(begun(start, changes, answer));
  };

  const act = async (next: Act) => {
    if (!run) return;
    stop();
    const answer = accepted(await ask(run.start, [...actsSoFar(run), next]));
    setRun(taken(run, next, answer));
  };

  const look = (at: number) => {
    stop();
    setRun((before) => before && lookingAt(before, at));
  };

  const play = async () => {
    if (!run) return;
    stop();
    const own = new AbortController();
    player.current = own;
    setPlaying(true);
    for (const [at, answer] of run.answers.entries()) {
      if (own.signal.aborted) break;
      if (!wantsRest()) {
        for (const flow of answer.steps.at(-1)?.flows ?? []) await moveAlong(drawing, flow, own.signal);
      }
      if (own.signal.aborted) break;
      setRun((before) => before && lookingAt(before, at));
      await pause(LOOK, own.signal);
    }
    if (player.current === own) setPlaying(false);
  };

  return {
    run,
    playing,
    /** The drawing has changed since: what is shown is how it ran before. */
    outdated: run !== undefined && run.drawn !== changes,
    begin,
    act,
    look,
    play,
    stop,
    end: () => {
      stop();
      setRun(undefined);
    },
  };
}

export type Running = ReturnType<typeof useRun>;
