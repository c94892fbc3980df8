/** The processes that one may start; each opens the page where its record is made. */
import { useNavigate } from 'react-router';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { useDictionary } from '@/kit/dictionary';
import type { Filter } from '@/kit/filters';
import { type Column, ResourceList } from '@/kit/ResourceList';
import { moment } from '@/lib/dates';

type Row = Wire<'StartRow'>;

const GENERAL = '1';
const OWN = '2';

export default function StartList() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const flows = useDictionary('flow');
  const start = (row: Row) => navigate(row.startPage);
  const version = (row: Row) => t('work.version', { n: row.version });
  const origin = (row: Row) => t(row.tenantId ? 'work.ownModel' : 'work.general');

  const columns: Column<Row>[] = [
    { key: 'name', title: t('work.process'), width: 240 },
    { key: 'categoryName', title: t('work.category'), width: 140 },
    { key: 'version', title: t('work.versionTitle'), width: 110, nowrap: true, render: version },
    { key: 'tenantId', title: t('work.origin'), width: 110, render: origin },
    {
      key: 'deploymentTime',
      title: t('work.deployed'),
      width: 160,
      nowrap: true,
      render: (row) => moment(row.deploymentTime),
    },
  ];
  const filters: Filter[] = [
    { kind: 'text', name: 'name', label: t('work.process') },
    {
      kind: 'select',
      name: 'category',
      label: t('work.category'),
      options: flows.options.map(({ value, label }) => ({ value: `flow_${value}`, label })),
    },
    {
      kind: 'select',
      name: 'mode',
      label: t('work.origin'),
      options: [
        { value: GENERAL, label: t('work.general') },
        { value: OWN, label: t('work.ownModel') },
      ],
    },
  ];

  return (
    <ResourceList<Row>
      name="work.start"
      title={t('work.start')}
      load={(query, signal) => api.list('/blade-flow/work/start-list', query, signal)}
      columns={columns}
      filters={filters}
      card={(row) => ({ title: row.name, meta: [[row.categoryName, version(row), origin(row)].join(' · ')] })}
      onOpen={start}
      rowActions={(row) => [{ key: 'start', label: t('work.startIt'), onClick: () => start(row) }]}
      empty={{ title: t('work.empty.start'), hint: t('work.empty.startHint') }}
    />
  );
}
