/** The form of an inspection route, and copying one with its points. */
import { useQuery } from '@tanstack/react-query';
import { readRow, submitRow } from '@/api/nounCalls';
import { inspectgroup } from '@/api/nouns/inspectgroup';
import { useTranslation } from '@/i18n';
import { FormDrawer } from '@/kit/FormDrawer';
import { TextField } from '@/kit/fields';
import type { FormEntry } from '@/kit/NounPage';
import { useLabels } from '@/kit/nounText';

type Route = typeof inspectgroup;

export function useRouteForm(): readonly FormEntry<Route>[] {
  const { t } = useTranslation();
  return [
    'groupCode',
    'groupName',
    { key: 'groupType', required: true },
    { key: 'deptId', required: true },
    'leaderId',
    { key: 'userIds', hint: t('inspect.route.usersHint') },
    { key: 'orderMode', required: true },
    'estMinutes',
    { key: 'needScan', hint: t('inspect.route.scanHint') },
    { key: 'allowSupplement', hint: t('inspect.route.supplementHint') },
    'sort',
    { key: 'isSealed', on: 'edit', hint: t('inspect.route.sealedHint') },
    'remark',
  ];
}

interface CopyProps {
  id: string;
  name: string;
  points: number;
  onDone?: (id: string) => void;
  onClose: () => void;
}

/** A new route with the same settings and copies of the points. */
export function CopyRoute({ id, name, points, onDone, onClose }: CopyProps) {
  const { t } = useTranslation();
  const label = useLabels(inspectgroup);
  const { groupCode, groupName } = inspectgroup.fields;
  const { data, error, refetch } = useQuery({
    queryKey: [inspectgroup.name, 'detail', id],
    queryFn: ({ signal }) => readRow(inspectgroup, { id }, signal),
    staleTime: 0,
  });
  return (
    <FormDrawer<{ groupCode: string; groupName: string }, unknown>
      title={t('inspect.copy.title', { name })}
      size="small"
      loading={!data}
      loadError={data ? undefined : error}
      retry={refetch}
      note={t('inspect.copy.routeNote', { count: points })}
      initial={{ groupCode: '', groupName: t('inspect.copy.name', { name }) }}
      submit={(values) => {
        const { id: _, lockVersion: __, isSealed: ___, ...kept } = data ?? {};
        return submitRow(inspectgroup, { ...kept, ...values, copyFrom: id });
      }}
      submitText={t('inspect.copy.action')}
      invalidates={[[inspectgroup.name], ['inspectpoint'], ['options']]}
      success={t('kit.added')}
      onDone={(made) => onDone?.((made as { id: string }).id)}
      onClose={onClose}
    >
      <TextField name="groupCode" label={label('groupCode')} required max={groupCode.max} full />
      <TextField name="groupName" label={label('groupName')} required max={groupName.max} full />
    </FormDrawer>
  );
}
