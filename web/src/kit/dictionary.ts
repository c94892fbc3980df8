/** The server's dictionaries, in the person's language, kept for ten minutes. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';

export interface Option {
  value: string;
  label: string;
}

export interface Dictionary {
  options: Option[];
  /** The entry's word; the key itself while the dictionary is loading or when it has no such entry. */
  label: (value: string | number | null | undefined) => string;
}

const NONE: Wire<'DictionaryValue'>[] = [];

/** `useDictionary('')` asks nothing. */
export function useDictionary(code: string): Dictionary {
  const { data = NONE } = useQuery({
    queryKey: ['dictionary', code],
    queryFn: ({ signal }) => api.get('/blade-system/dict-biz/dictionary', { code }, signal),
    enabled: code !== '',
    staleTime: 10 * 60_000,
  });
  return useMemo(() => {
    const words = new Map(data.map((entry) => [entry.dictKey, entry.dictValue]));
    return {
      options: data.map((entry) => ({ value: entry.dictKey, label: entry.dictValue })),
      label: (value) => {
        const key = String(value ?? '');
        return key === '' ? '-' : (words.get(key) ?? key);
      },
    };
  }, [data]);
}
