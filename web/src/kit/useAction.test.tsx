import { useQuery } from '@tanstack/react-query';
import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import { ApiError } from '@/api/client';
import { draw } from '@/testing/render';
import { ErrorLine } from './states';
import { useAction } from './useAction';

interface ButtonProps {
  run: () => Promise<unknown>;
  ask?: () => Promise<unknown>;
  onDone?: () => void;
}

function Act({ run, ask = async () => 1, onDone }: ButtonProps) {
  useQuery({ queryKey: ['gauge', 'list'], queryFn: ask });
  const action = useAction({ run, onDone, invalidates: [['gauge']], success: 'Saved' });
  return (
    <>
      <button type="button" aria-busy={action.busy} onClick={() => action.run()}>
        Save
      </button>
      <ErrorLine error={action.error} />
    </>
  );
}

const save = () => screen.getByRole('button', { name: 'Save' });

test('a double click sends once, and the button is busy until the answer is there', async () => {
  let answer: (value: unknown) => void = () => undefined;
  const run = vi.fn(() => new Promise((resolve) => (answer = resolve)));
  draw(<Act run={run} />);
  await userEvent.dblClick(save());
  expect(run).toHaveBeenCalledOnce();
  expect(save().getAttribute('aria-busy')).toBe('true');
  answer(1);
  await waitFor(() => expect(save().getAttribute('aria-busy')).toBe('false'));
  await screen.findByText('Saved');
  await userEvent.click(save());
  expect(run).toHaveBeenCalledTimes(2);
});

test('a refusal is shown until the next try, nothing is said of success, and the list is asked again', async () => {
  const run = vi.fn().mockRejectedValueOnce(new ApiError(409, 'Somebody was faster')).mockResolvedValue(1);
  const ask = vi.fn(async () => 1);
  const onDone = vi.fn();
  draw(<Act run={run} ask={ask} onDone={onDone} />);
  await waitFor(() => expect(ask).toHaveBeenCalledTimes(1));
  await userEvent.click(save());
  await screen.findByText('Somebody was faster');
  expect(onDone).not.toHaveBeenCalled();
  expect(screen.queryByText('Saved')).toBeNull();
  await waitFor(() => expect(ask).toHaveBeenCalledTimes(2));
  await userEvent.click(save());
  await waitFor(() => expect(onDone).toHaveBeenCalledOnce());
  expect(screen.queryByText('Somebody was faster')).toBeNull();
});

test('without a network the call is tried at once', async () => {
  const run = vi.fn().mockRejectedValue(new ApiError(0, 'No connection', 'network'));
  draw(<Act run={run} />);
  window.dispatchEvent(new Event('offline'));
  try {
    await userEvent.click(save());
    await screen.findByText('No connection');
  } finally {
    window.dispatchEvent(new Event('online'));
  }
});
