/** One act on the server: sent once, its refusal kept for showing in place, the queries it touches asked again. */
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { App } from 'antd';
import { useRef, useState } from 'react';

interface ActionOptions<Input, Result> {
  run: (input: Input) => Promise<Result>;
  /** First parts of the keys of the queries that are out of date afterwards, such as `['machines']`. */
  invalidates?: readonly QueryKey[];
  /** Said briefly when success cannot be seen on the page. */
  success?: string;
  /** What is out of date is asked again after it: a page that it leaves asks no more. */
  onDone?: (result: Result) => void | Promise<void>;
}

export interface Action<Input> {
  /** Resolves to whether it succeeded. While one call is under way further ones are ignored. */
  run: (input: Input) => Promise<boolean>;
  busy: boolean;
  /** The last refusal, until the next try. */
  error: unknown;
  reset: () => void;
}

export function useAction<Input = void, Result = unknown>(
  options: ActionOptions<Input, Result>,
): Action<Input> {
  const { run, invalidates = [], success, onDone } = options;
  const client = useQueryClient();
  const { message } = App.useApp();
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  // State arrives with the next render; a double click comes earlier.
  const running = useRef(false);

  return {
    busy,
    error,
    reset: () => setError(undefined),
    run: async (input) => {
      if (running.current) return false;
      running.current = true;
      setBusy(true);
      setError(undefined);
      try {
        const result = await run(input);
        if (success) message.success(success);
        await onDone?.(result);
        return true;
      } catch (refusal) {
        setError(refusal);
        return false;
      } finally {
        running.current = false;
        setBusy(false);
        // After a refusal too: somebody may have been faster, and the page should show what is there now.
        for (const queryKey of invalidates) client.invalidateQueries({ queryKey });
      }
    },
  };
}
