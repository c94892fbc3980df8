/** Shift plans: each opens its schedule. */
import { PlusOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { RowOf } from '@/api/noun';
import { listRows, removeRows } from '@/api/nounCalls';
import { configinfo } from '@/api/nouns/configinfo';
import { useTranslation } from '@/i18n';
import { ConfirmDialog } from '@/kit/ConfirmDialog';
import { columnsOf } from '@/kit/NounPage';
import { useFilters } from '@/kit/nounFilters';
import { useLabels } from '@/kit/nounText';
import { ResourceList } from '@/kit/ResourceList';
import { StateTag } from '@/kit/StateTag';
import { useEntry, useRights } from '@/session/rights';

type Plan = RowOf<typeof configinfo>;

export const PLANS = '/shifts/plan';

export default function Plans() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const may = useRights();
  const label = useLabels(configinfo);
  const entry = useEntry(PLANS);
  const filters = useFilters(configinfo, ['configName', 'deptId', 'patternType', 'status']);
  const [removed, setRemoved] = useState<Plan>();
  const state = (row: Plan) => <StateTag dict="config_status" value={row.status} text={row.statusName} />;
  const period = (row: Plan) =>
    row.endDate
      ? t('shifts.period', { from: row.startDate, until: row.endDate })
      : t('shifts.openEnd', { from: row.startDate });
  const add = may('configinfo_add') && (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => navigate(`${PLANS}/new/edit`)}>
      {t('shifts.add')}
    </Button>
  );
  return (
    <>
      <ResourceList<Plan>
        name={configinfo.name}
        title={entry?.name ?? label('configName')}
        load={(query, signal) => listRows(configinfo, query, signal)}
        columns={columnsOf(
          configinfo,
          [
            { key: 'configCode', width: 96, nowrap: true },
            { key: 'configName', width: 170 },
            { key: 'deptName', width: 110 },
            { key: 'patternTypeName', width: 130 },
            { key: 'statusName', width: 108 },
            { key: 'startDate', title: t('shifts.periodTitle'), width: 130, render: period },
            { key: 'teamCount', width: 80 },
            { key: 'coveredTo', width: 112 },
          ],
          label,
          { statusName: state },
        )}
        filters={filters}
        inline={3}
        action={add || undefined}
        card={(row) => ({
          title: row.configName,
          state: state(row),
          meta: [`${row.deptName} · ${row.patternTypeName}`, period(row)],
        })}
        onOpen={(row) => navigate(`${PLANS}/${row.id}`)}
        addressOf={(row) => `${PLANS}/${row.id}`}
        rowActions={(row) => [
          ...(may('configinfo_edit')
            ? [{ key: 'edit', label: t('kit.edit'), onClick: () => navigate(`${PLANS}/${row.id}/edit`) }]
            : []),
          ...(may('configinfo_delete')
            ? [{ key: 'remove', label: t('kit.delete'), danger: true, onClick: () => setRemoved(row) }]
            : []),
        ]}
        empty={{
          title: t('shifts.none'),
          hint: t(add ? 'shifts.noneHint' : 'shifts.noneNoRight'),
          action: add || undefined,
        }}
      />
      {removed && (
        <ConfirmDialog
          title={t('shifts.removeTitle', { name: removed.configName })}
          okText={t('kit.delete')}
          danger
          run={() => removeRows(configinfo, [removed.id])}
          invalidates={[[configinfo.name]]}
          onClose={() => setRemoved(undefined)}
        >
          {t('shifts.removeText')}
        </ConfirmDialog>
      )}
    </>
  );
}
