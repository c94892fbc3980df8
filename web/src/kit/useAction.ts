/** A mutation as the console's buttons and forms need it: sent once however often one clicks, its refusal kept to be
 * shown in place, and the queries that it touches asked again. */
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { App } from 'antd';
import { useRef } from 'react';

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
  // State arrives with the next render; a double click comes earlier.
  const running = useRef(false);
  const mutation = useMutation<Result, unknown, Input>({
    mutationFn: run,
    // Without a network the call fails and says so, rather than wait for one.
    networkMode: 'always',
    // What was sent may hold a password.
    gcTime: 0,
    onSuccess: async (result) => {
      if (success) message.success(success);
      await onDone?.(result);
    },
    // After a refusal too: somebody may have been faster, and the page should show what is there now.
    onSettled: () => {
      for (const queryKey of invalidates) client.invalidateQueries({ queryKey });
    },
  });

  return {
    busy: mutation.isPending,
    error: mutation.error ?? undefined,
    reset: mutation.reset,
    run: async (input) => {
      if (running.current) return false;
      running.current = true;
      try {
        await mutation.mutateAsync(input);
        return true;
      } catch {
        // It is shown from `error`.
        return false;
      } finally {
        running.current = false;
      }
    },
  };
}
