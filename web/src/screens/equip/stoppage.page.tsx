/** Stoppages of assets: recorded by hand for several at once, ended, withdrawn. */
import { PlusOutlined } from '@ant-design/icons';
import { App, Button, TreeSelect } from 'antd';
import dayjs from 'dayjs';
import { useState } from 'react';
import { Link } from 'react-router';
import { api } from '@/api/client';
import type { RowOf } from '@/api/noun';
import { submitRow } from '@/api/nounCalls';
import { inspectmachine } from '@/api/nouns/inspectmachine';
import { inspectrestlog } from '@/api/nouns/inspectrestlog';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { FormDrawer } from '@/kit/FormDrawer';
import { DateTimeField, DictField, Field, FilesField, SwitchField, TextAreaField } from '@/kit/fields';
import { Minutes } from '@/kit/Minutes';
import { NounPage, ReferenceField } from '@/kit/NounPage';
import { useLabels } from '@/kit/nounText';
import { StateTag } from '@/kit/StateTag';
import { moment, WIRE } from '@/lib/dates';
import { useMachineNodes } from '@/screens/shared/machines';
import { LIST as ORDERS } from '@/screens/shared/orders';
import { useRights } from '@/session/rights';

type Row = RowOf<typeof inspectrestlog>;
type Values = Omit<Wire<'AddInputRequest'>, 'machineIds'> & { machineIds: string[] };

const MANUAL = 1;
const [NOT_STARTED, STOPPED, , WITHDRAWN] = [1, 2, 3, 4];
const REASONS = { ref: '/yuzhu-equip/equiptags/select', params: { type: 7 } };
const TOUCHED = [[inspectrestlog.name], [inspectmachine.name]];
const MACHINES = '/equip/machine';

export default function Stoppages() {
  const { t } = useTranslation();
  const may = useRights();
  const ofAsset = useLabels(inspectmachine);
  const label = useLabels(inspectrestlog);
  const [adding, setAdding] = useState(false);
  const [act, setAct] = useState<{ kind: 'end' | 'revoke'; row: Row }>();
  const mayEdit = may('inspectrestlog_edit');
  const state = (row: Row) => <StateTag dict="rest_status" value={row.status} text={row.statusName} />;
  const until = (row: Row) => (row.endTime ? moment(row.endTime) : t('stoppages.until'));
  const add = may('inspectrestlog_add') && (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => setAdding(true)}>
      {t('stoppages.add')}
    </Button>
  );
  return (
    <>
      <NounPage
        noun={inspectrestlog}
        name="machineName"
        called={(row) => `${row.restNo} ${row.machineName}`}
        main={add || undefined}
        ownAdd
        columns={[
          { key: 'machineName', width: 160 },
          { key: 'restTypeName', width: 112 },
          { key: 'statusName', width: 124 },
          { key: 'startTime', width: 142 },
          { key: 'endTime', width: 142, render: until },
          { key: 'restMinutes', width: 116 },
          { key: 'orderNo', title: t('stoppages.why'), width: 140 },
          { key: 'reasonTagName', width: 140, extra: true },
          { key: 'restNo', width: 150, nowrap: true, extra: true },
        ]}
        show={{
          machineName: (row) => (
            <Link to={`${MACHINES}/${row.machineId}`} onClick={(event) => event.stopPropagation()}>
              {row.machineName}
            </Link>
          ),
          statusName: state,
          restMinutes: (row) => <Minutes value={row.restMinutes} />,
          orderNo: (row) =>
            row.orderType === 'repairorder' && may('repairorder_view') ? (
              <Link to={`${ORDERS}/${row.orderId}`} onClick={(event) => event.stopPropagation()}>
                {row.orderNo}
              </Link>
            ) : (
              row.orderNo || row.reasonTagName || row.reason || '-'
            ),
        }}
        card={(row) => ({
          title: row.machineName,
          state: state(row),
          meta: [
            [row.restTypeName, row.reasonTagName || row.reason].filter(Boolean).join(' · '),
            `${moment(row.startTime)} – ${until(row)}`,
          ],
        })}
        filters={[
          { kind: 'text', name: 'machineName', label: ofAsset('machineName') },
          { kind: 'dict', name: 'restStatus', label: label('status'), dict: 'rest_status' },
          'restType',
          'startTime',
          'machineId',
          {
            kind: 'reference',
            name: 'deptId',
            label: ofAsset('deptId'),
            source: { ref: inspectmachine.fields.deptId.ref },
          },
          'reasonTagId',
          'source',
          'restNo',
        ]}
        form={[
          { key: 'machineId', locked: true, full: true },
          'restType',
          'reasonTagId',
          'startTime',
          { key: 'endTime', hint: t('stoppages.openEnd') },
          { key: 'includeChildren', hint: t('stoppages.childrenHint') },
          'reason',
          'files',
          'remark',
        ]}
        detail={[
          'restNo',
          'statusName',
          'restMinutes',
          'deptName',
          'sourceName',
          'orderNo',
          'revokeTime',
          'revokeReason',
        ]}
        rowActions={(row) =>
          mayEdit && row.source === MANUAL
            ? [
                ...(row.status === STOPPED
                  ? [{ key: 'end', label: t('stoppages.end'), onClick: () => setAct({ kind: 'end', row }) }]
                  : []),
                ...(row.status !== WITHDRAWN
                  ? [
                      {
                        key: 'revoke',
                        label: t('stoppages.revoke'),
                        danger: true,
                        onClick: () => setAct({ kind: 'revoke', row }),
                      },
                    ]
                  : []),
              ]
            : []
        }
        mayBeRemoved={(row) => row.source === MANUAL && row.status === NOT_STARTED}
        removeHint={t('stoppages.removeHint')}
        touches={TOUCHED}
        empty={{ title: t('stoppages.none'), hint: t('stoppages.noneHint'), action: add || undefined }}
      />
      {adding && <Add onClose={() => setAdding(false)} />}
      {act?.kind === 'end' && <End row={act.row} onClose={() => setAct(undefined)} />}
      {act?.kind === 'revoke' && <Revoke row={act.row} onClose={() => setAct(undefined)} />}
    </>
  );
}

function Add({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const { message } = App.useApp();
  const label = useLabels(inspectrestlog);
  const nodes = useMachineNodes();
  return (
    <FormDrawer<Values, Wire<'Added'>>
      title={t('stoppages.add')}
      note={t('stoppages.addNote')}
      initial={{ startTime: dayjs().format(WIRE), includeChildren: 1 }}
      submit={(values) =>
        api.post('/yuzhu-equip/inspectrestlog/addEquipRest', {
          ...values,
          machineIds: values.machineIds.join(),
        })
      }
      submitText={t('stoppages.addSubmit')}
      invalidates={TOUCHED}
      onDone={({ created, skipped, affected }) => {
        const told = [t('stoppages.added', { count: created.length })];
        if (affected.details > 0) told.push(t('stoppages.affected', { count: affected.details }));
        if (skipped.length > 0) {
          const names = skipped.map(({ machineName }) => machineName).join(t('work.own.gap'));
          message.warning([...told, t('stoppages.skipped', { count: skipped.length, names })].join(' '), 8);
        } else message.success(told.join(' '));
      }}
      onClose={onClose}
    >
      <Field name="machineIds" label={t('stoppages.machines')} kind="choose" valueType="array" required full>
        <TreeSelect
          multiple
          allowClear
          treeData={nodes}
          fieldNames={{ label: 'label', value: 'key', children: 'children' }}
          showSearch={{ treeNodeFilterProp: 'label' }}
          loading={!nodes}
          placeholder={t('kit.form.pick')}
          maxTagCount={6}
          listHeight={320}
        />
      </Field>
      <DictField name="restType" label={label('restType')} dict="rest_type" required />
      <ReferenceField name="reasonTagId" label={label('reasonTagId')} source={REASONS} />
      <DateTimeField name="startTime" label={label('startTime')} required />
      <DateTimeField name="endTime" label={label('endTime')} hint={t('stoppages.openEnd')} />
      <TextAreaField name="reason" label={label('reason')} max={200} full rows={2} />
      <SwitchField
        name="includeChildren"
        label={label('includeChildren')}
        hint={t('stoppages.childrenHint')}
      />
      <SwitchField name="skipConflict" label={t('stoppages.skip')} hint={t('stoppages.skipHint')} />
      <FilesField name="files" label={label('files')} full />
    </FormDrawer>
  );
}

function End({ row, onClose }: { row: Row; onClose: () => void }) {
  const { t } = useTranslation();
  const label = useLabels(inspectrestlog);
  return (
    <FormDrawer<{ endTime?: string }>
      size="small"
      title={t('stoppages.end')}
      note={`${row.machineName} · ${t('stoppages.endNote')}`}
      submit={({ endTime }) =>
        submitRow(inspectrestlog, {
          id: row.id,
          lockVersion: row.lockVersion,
          action: 'end',
          ...(endTime ? { endTime } : {}),
        })
      }
      submitText={t('stoppages.end')}
      success={t('stoppages.ended')}
      invalidates={TOUCHED}
      onClose={onClose}
    >
      <DateTimeField name="endTime" label={label('endTime')} hint={t('stoppages.endHint')} until={dayjs()} />
    </FormDrawer>
  );
}

function Revoke({ row, onClose }: { row: Row; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <FormDrawer<{ reason: string }>
      size="small"
      title={t('stoppages.revokeTitle')}
      note={`${row.machineName} · ${t('stoppages.revokeNote')}`}
      danger
      submit={({ reason }) =>
        submitRow(inspectrestlog, { id: row.id, lockVersion: row.lockVersion, action: 'revoke', reason })
      }
      submitText={t('stoppages.revoke')}
      success={t('stoppages.revoked')}
      invalidates={TOUCHED}
      onClose={onClose}
    >
      <TextAreaField name="reason" label={t('stoppages.revokeReason')} max={200} required />
    </FormDrawer>
  );
}
