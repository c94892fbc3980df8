/** Somebody of the company, found by name. */
import { api } from '@/api/client';
import type { Option } from '@/kit/dictionary';
import { type FieldProps, RemoteSelectField } from '@/kit/fields';

async function load(realName: string, signal: AbortSignal) {
  const people = await api.get('/blade-user/user-list', { realName }, signal);
  return people.map(({ id, realName: name, account }) => ({ value: id, label: name, hint: account }));
}

export function PersonField(props: FieldProps & { current?: Option }) {
  return <RemoteSelectField {...props} source={['people', 'all']} load={load} remote />;
}
