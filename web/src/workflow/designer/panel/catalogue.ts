/** What a process may name, as the server knows it, and what the pickers offer. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useLanguage } from '@/i18n';
import { useOptions, useTree } from '@/kit/references';
import type { TreeNode } from '@/kit/tree';
import { useDebounced } from '@/kit/useDebounced';
import { useDesigner } from '../context';
import type { NameType } from './conditions';
import type { Choice } from './controls';
import { processOf } from './model';
import { fieldNames, holdingFields, type Name } from './names';
import { KINDS, type RuleKind } from './rules';

export type Catalogue = Wire<'Catalogue'>;

/** Of the process that is drawn; undefined until it is there. */
export function useCatalogue(): Catalogue | undefined {
  const { selected } = useDesigner();
  const key = selected && processOf(selected.businessObject)?.id;
  const language = useLanguage();
  const { data } = useQuery({
    queryKey: ['flow', 'catalogue', key, language],
    queryFn: ({ signal }) => api.get('/blade-flow/model/catalogue', { key }, signal),
    enabled: Boolean(key),
    staleTime: 60_000,
    placeholderData: (previous) => previous,
  });
  return data;
}

/** The kinds that the server knows, and an expression where nothing else will do. */
export function useKinds(): RuleKind[] {
  const known = useCatalogue()?.candidateKinds.map(({ kind }) => kind);
  return KINDS.filter((kind) => kind === 'expression' || !known || known.includes(kind));
}

type Kind = Catalogue['readable'][number]['kind'];

const TYPES: Readonly<Record<Kind, NameType>> = {
  text: 'text',
  number: 'number',
  flag: 'flag',
  choice: 'number',
  user: 'id',
  dept: 'id',
  team: 'id',
  role: 'text',
};

/** What a condition may read: the catalogue's names, and the fields of the forms as they are drawn now. */
export function useNames(): readonly Name[] {
  const { selected } = useDesigner();
  const language = useLanguage();
  const known = useCatalogue()?.readable ?? [];
  const fields = fieldNames(selected && processOf(selected.businessObject), language);
  return [
    ...known.map(({ name, label, kind, options }) => ({
      name,
      label,
      type: TYPES[kind],
      options: options.length > 0 ? options : undefined,
    })),
    ...fields,
  ];
}

export type Picked = 'role' | 'dept' | 'team' | 'user';

/** Names of the record, of the starter, or of a form's field, that hold somebody of this kind. */
export function useHolding(kind: Picked): Choice[] {
  const { selected } = useDesigner();
  const language = useLanguage();
  const known = useCatalogue()?.readable ?? [];
  const fields = holdingFields(selected && processOf(selected.businessObject), kind, language);
  return [...known.filter((name) => name.kind === kind), ...fields].map(({ name, label }) => ({
    value: `\${${name}}`,
    label,
    hint: name,
  }));
}

interface Picker {
  options: Choice[];
  loading: boolean;
  /** Where the server filters. */
  onSearch?: (keyword: string) => void;
}

function flat(nodes: readonly TreeNode[], above = ''): Choice[] {
  return nodes.flatMap(({ key, label, children }) => [
    { value: key, label, hint: above || undefined },
    ...flat(children ?? [], above ? `${above} / ${label}` : label),
  ]);
}

function usePeople(enabled: boolean): Picker {
  const [keyword, onSearch] = useState('');
  const realName = useDebounced(keyword);
  const { data = [], isFetching } = useQuery({
    queryKey: ['people', 'all', 'options', realName],
    queryFn: async ({ signal }) => {
      const people = await api.get('/blade-user/user-list', { realName }, signal);
      return people.map(({ id, realName: name, account }) => ({ value: id, label: name, hint: account }));
    },
    enabled,
    staleTime: 30_000,
    placeholderData: (previous) => previous,
  });
  return { options: data, loading: isFetching, onSearch };
}

/** Whom or what a rule of this kind may name. */
export function usePicker(kind: Picked): Picker {
  const roles = useCatalogue()?.roles;
  const people = usePeople(kind === 'user');
  const teams = useOptions({
    path: kind === 'team' ? '/yuzhu-equip/repairteam/getList' : '',
    label: 'teamName',
  });
  const depts = useTree(kind === 'dept' ? '/blade-system/dept/tree' : '');
  switch (kind) {
    case 'role':
      return { options: roles ?? [], loading: !roles };
    case 'user':
      return people;
    case 'team':
      return { options: teams.data ?? [], loading: teams.isFetching };
    default:
      return { options: flat(depts.data ?? []), loading: depts.isFetching };
  }
}
