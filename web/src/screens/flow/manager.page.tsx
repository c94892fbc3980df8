/** Everything that was deployed, version by version. */
import './flow.css';
import { UploadOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { api } from '@/api/client';
import { useTranslation } from '@/i18n';
import type { Filter } from '@/kit/filters';
import { type Column, ResourceList, type RowAction } from '@/kit/ResourceList';
import { usePhone } from '@/kit/width';
import { moment } from '@/lib/dates';
import { useRights } from '@/session/rights';
import { useCategories } from '@/workflow/deploy/fields';
import { DrawingView } from './DrawingView';
import { nameAndKey } from './nameAndKey';
import { type Deployment, timesPath, useOwns } from './queries';
import { RemoveForm } from './RemoveForm';
import { isActive, StateForm } from './StateForm';
import { UploadDrawer } from './UploadDrawer';
import { InForce, VersionState } from './versions';

/** As the first word of a cell. */
const atStart = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

type Open = { kind: 'upload' } | { kind: 'look' | 'state' | 'remove'; version: Deployment };

export default function Deployments() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const may = useRights();
  const owns = useOwns();
  const phone = usePhone();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);
  const version = (row: Deployment) => t('work.version', { n: row.version });
  const origin = (row: Deployment) => t(row.tenantId ? 'work.ownModel' : 'work.general');

  const columns: Column<Deployment>[] = [
    {
      key: 'name',
      title: t('work.process'),
      width: 200,
      render: nameAndKey,
    },
    {
      key: 'version',
      title: t('work.versionTitle'),
      width: 150,
      render: (row) => (
        <span className="x-version-title">
          {atStart(version(row))} {row.isInForce && <InForce />}
        </span>
      ),
    },
    { key: 'categoryName', title: t('flow.category'), width: 90 },
    { key: 'tenantId', title: t('work.origin'), width: 90, nowrap: true, render: origin },
    {
      key: 'suspensionState',
      title: t('flow.stateTitle'),
      width: 110,
      nowrap: true,
      render: (row) => <VersionState version={row} />,
    },
    {
      key: 'deploymentTime',
      title: t('work.deployed'),
      width: 160,
      render: (row) => (
        <>
          {moment(row.deploymentTime)}
          <div className="x-quiet">{row.deployUserName}</div>
        </>
      ),
    },
    { key: 'note', title: t('flow.deploy.note'), width: 200, whole: true },
  ];
  const filters: Filter[] = [
    { kind: 'text', name: 'name', label: t('work.process') },
    { kind: 'text', name: 'key', label: t('flow.key') },
    { kind: 'select', name: 'category', label: t('flow.category'), options: useCategories() },
    {
      kind: 'select',
      name: 'mode',
      label: t('work.origin'),
      options: [
        { value: '1', label: t('work.general') },
        { value: '2', label: t('work.ownModel') },
      ],
    },
  ];
  const rowActions = (row: Deployment): RowAction[] => {
    const acts: (RowAction | false)[] = [
      may('flow_manager_image') && {
        key: 'look',
        label: t('flow.act.picture'),
        onClick: () => setOpen({ kind: 'look', version: row }),
      },
      owns(row) &&
        may('flow_manager_state') && {
          key: 'state',
          label: t(isActive(row) ? 'flow.act.suspend' : 'flow.act.activate'),
          onClick: () => setOpen({ kind: 'state', version: row }),
        },
      row.isScheduled &&
        may('flow_schedule_view') && {
          key: 'schedule',
          label: t('flow.schedule.title'),
          onClick: () => navigate(`/flow/schedule?key=${encodeURIComponent(row.key)}`),
        },
      { key: 'times', label: t('flow.act.times'), onClick: () => navigate(timesPath(row.key, row.id)) },
      owns(row) &&
        may('flow_manager_remove') && {
          key: 'remove',
          label: t('kit.delete'),
          danger: true,
          onClick: () => setOpen({ kind: 'remove', version: row }),
        },
    ];
    return acts.filter((act) => act !== false);
  };

  return (
    <>
      <ResourceList<Deployment>
        name="flow.manager"
        title={t('flow.deployments')}
        load={(query, signal) => api.list('/blade-flow/manager/list', query, signal)}
        columns={columns}
        filters={filters}
        action={
          !phone &&
          may('flow_manager_deploy') && (
            <Button type="primary" icon={<UploadOutlined />} onClick={() => setOpen({ kind: 'upload' })}>
              {t('flow.upload.act')}
            </Button>
          )
        }
        card={(row) => ({
          title: row.name,
          state: row.isInForce && isActive(row) ? <InForce /> : <VersionState version={row} />,
          meta: [
            [version(row), origin(row), row.categoryName].join(' · '),
            [row.deployUserName, moment(row.deploymentTime)].filter(Boolean).join(' · '),
          ],
        })}
        onOpen={may('flow_manager_image') ? (row) => setOpen({ kind: 'look', version: row }) : undefined}
        rowActions={rowActions}
        folds
        empty={{ title: t('flow.empty.deployments'), hint: t('flow.empty.deploymentsHint') }}
      />
      {open?.kind === 'upload' && <UploadDrawer onClose={close} />}
      {open?.kind === 'look' && (
        <DrawingView
          title={`${open.version.name} · ${version(open.version)}`}
          reference={{ kind: 'deployed', id: open.version.id }}
          onClose={close}
        />
      )}
      {open?.kind === 'state' && <StateForm version={open.version} onClose={close} />}
      {open?.kind === 'remove' && (
        <RemoveForm
          title={t('flow.remove.title', { name: `${open.version.name} · ${version(open.version)}` })}
          model={open.version.key}
          only={open.version.id}
          versions
          onClose={close}
        />
      )}
    </>
  );
}
