/** Asks queries again when work that went on in the background has ended. */
import { type QueryKey, useQueryClient } from '@tanstack/react-query';
import { useEffect, useEffectEvent } from 'react';

export function useRefresh(hasEnded: boolean, invalidates: readonly QueryKey[]): void {
  const client = useQueryClient();
  const refresh = useEffectEvent(() => {
    for (const queryKey of invalidates) client.invalidateQueries({ queryKey });
  });
  useEffect(() => {
    if (hasEnded) refresh();
  }, [hasEnded]);
}
