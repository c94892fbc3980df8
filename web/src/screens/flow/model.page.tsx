/** The models of the company: what is drawn, what is deployed of it, and how what runs stands. */
import './flow.css';
import { PlusOutlined, UploadOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { Params } from '@/api/calls';
import { api } from '@/api/client';
import type { Page } from '@/api/wire';
import { useTranslation } from '@/i18n';
import type { Filter } from '@/kit/filters';
import { type Column, ResourceList, type RowAction } from '@/kit/ResourceList';
import { ToneTag } from '@/kit/StateTag';
import { ErrorLine } from '@/kit/states';
import type { Tone } from '@/kit/tones';
import { useAction } from '@/kit/useAction';
import { usePhone } from '@/kit/width';
import { moment } from '@/lib/dates';
import { useRights } from '@/session/rights';
import { DeployForm } from '@/workflow/deploy/DeployForm';
import { useCategories } from '@/workflow/deploy/fields';
import { Count, Counts } from './Counts';
import { CreateForm } from './CreateForm';
import { saveDrawing } from './drawings';
import { nameAndKey } from './nameAndKey';
import {
  comparePath,
  designPath,
  loadDrawing,
  type Model,
  newDesignPath,
  newest,
  type Reference,
  timesPath,
  useOwns,
} from './queries';
import { RemoveForm } from './RemoveForm';
import { isActive, StateForm } from './StateForm';
import { UploadDrawer } from './UploadDrawer';
import { VersionsDrawer } from './VersionsDrawer';

const STATES: Readonly<Record<Model['state'], Tone>> = {
  draft: 'quiet',
  active: 'good',
  suspended: 'waiting',
};

async function load(query: Params, signal: AbortSignal): Promise<Page<Model>> {
  const page = await api.list('/blade-flow/model/overview', query, signal);
  return { ...page, records: page.records.map((row) => ({ ...row, id: row.key })) };
}

type Open =
  | { kind: 'create' | 'upload' }
  | { kind: 'versions' | 'deploy' | 'copy' | 'state' | 'remove'; model: Model };

/** What hangs on a row, as far as the person may. */
function useRowActions(
  open: (what: Open) => void,
  draw: (model: Model) => void,
  take: (model: Model) => void,
) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const may = useRights();
  const owns = useOwns();
  const phone = usePhone();
  return (model: Model): readonly RowAction[] => {
    const { draft, deployed } = model;
    const mine = deployed !== null && owns(deployed);
    const mayDraw = may(draft ? 'flow_model_update' : 'flow_model_create');
    const acts: readonly (RowAction | false)[] = [
      (mayDraw || draft !== null) && {
        key: 'design',
        label: t(mayDraw && !phone ? 'flow.act.design' : 'kit.view'),
        onClick: () => draw(model),
      },
      draft !== null &&
        may('flow_model_deploy') && {
          key: 'deploy',
          label: t('flow.act.deploy'),
          onClick: () => open({ kind: 'deploy', model }),
        },
      { key: 'versions', label: t('flow.act.versions'), onClick: () => open({ kind: 'versions', model }) },
      draft !== null &&
        deployed !== null &&
        may('flow_manager_view') && {
          key: 'compare',
          label: t('flow.act.compareDraft'),
          onClick: () =>
            navigate(
              comparePath(
                model.key,
                draft.id,
                { kind: 'deployed', id: deployed.id },
                { kind: 'draft', id: draft.id },
              ),
            ),
        },
      deployed !== null &&
        may('flow_manager_view') && {
          key: 'times',
          label: t('flow.act.times'),
          onClick: () => navigate(timesPath(model.key)),
        },
      { key: 'export', label: t('flow.act.export'), onClick: () => take(model) },
      may('flow_model_create') && {
        key: 'copy',
        label: t('flow.act.copy'),
        onClick: () => open({ kind: 'copy', model }),
      },
      deployed !== null &&
        mine &&
        may('flow_manager_state') && {
          key: 'state',
          label: t(isActive(deployed) ? 'flow.act.suspend' : 'flow.act.activate'),
          onClick: () => open({ kind: 'state', model }),
        },
      ((draft !== null && may('flow_model_delete')) || (mine && may('flow_manager_remove'))) && {
        key: 'remove',
        label: t('kit.delete'),
        danger: true,
        onClick: () => open({ kind: 'remove', model }),
      },
    ];
    return acts.filter((act) => act !== false);
  };
}

function Saved({ model: { draft } }: { model: Model }) {
  const { t } = useTranslation();
  if (!draft) return <span className="x-quiet">-</span>;
  return (
    <>
      {t('flow.history.save', { n: draft.version })}
      <div className="x-quiet x-nowrap">{moment(draft.lastUpdated)}</div>
      <div className="x-quiet">{draft.userName}</div>
    </>
  );
}

function Deployed({ model: { deployed } }: { model: Model }) {
  const { t } = useTranslation();
  if (!deployed) return <span className="x-quiet">-</span>;
  const origin = t(deployed.tenantId ? 'work.ownModel' : 'work.general');
  return (
    <>
      {`${origin} · ${t('work.version', { n: deployed.version })}`}
      <div className="x-quiet x-nowrap">{moment(deployed.deploymentTime)}</div>
      <div className="x-quiet">{[deployed.deployUserName, deployed.note].filter(Boolean).join(' · ')}</div>
    </>
  );
}

export default function Models() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const may = useRights();
  const phone = usePhone();
  const categories = useCategories();
  const [open, setOpen] = useState<Open>();
  const close = () => setOpen(undefined);

  // Who draws a general model on begins a draft of the company's own with the first change.
  const draw = ({ key, draft }: Model) => navigate(draft ? designPath(draft.id) : newDesignPath(key));
  const take = useAction<Model>({
    run: async (model) => {
      const what = newest(model);
      if (what) saveDrawing(await loadDrawing(what), model.key);
    },
  });
  const rowActions = useRowActions(setOpen, draw, take.run);

  const state = ({ state }: Model) => <ToneTag tone={STATES[state]}>{t(`flow.state.${state}`)}</ToneTag>;
  const count = (key: 'running' | 'overdue' | 'failed', only?: 'overdue' | 'parked'): Column<Model> => ({
    key,
    title: t(`flow.${key}`),
    width: 88,
    align: 'end',
    nowrap: true,
    render: (row) => <Count n={row[key]} model={row} only={only} />,
  });
  const columns: Column<Model>[] = [
    {
      key: 'name',
      title: t('flow.model'),
      width: 170,
      render: nameAndKey,
    },
    { key: 'categoryName', title: t('flow.category'), width: 80 },
    { key: 'state', title: t('flow.stateTitle'), width: 130, nowrap: true, render: state },
    { key: 'draft', title: t('flow.draft'), width: 140, whole: true, render: (row) => <Saved model={row} /> },
    {
      key: 'deployed',
      title: t('flow.deployed'),
      width: 170,
      whole: true,
      render: (row) => <Deployed model={row} />,
    },
    count('running'),
    count('overdue', 'overdue'),
    count('failed', 'parked'),
  ];
  const filters: Filter[] = [
    { kind: 'text', name: 'name', label: t('flow.name') },
    { kind: 'text', name: 'key', label: t('flow.key') },
    { kind: 'select', name: 'category', label: t('flow.category'), options: categories, multiple: true },
    {
      kind: 'select',
      name: 'state',
      label: t('flow.stateTitle'),
      options: (['draft', 'active', 'suspended'] as const).map((value) => ({
        value,
        label: t(`flow.state.${value}`),
      })),
    },
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
  const create = may('flow_model_create') && (
    <Button type="primary" icon={<PlusOutlined />} onClick={() => setOpen({ kind: 'create' })}>
      {t('flow.create.act')}
    </Button>
  );
  const model = open && 'model' in open ? open.model : undefined;

  return (
    <>
      {Boolean(take.error) && (
        <div className="x-block">
          <ErrorLine error={take.error} />
        </div>
      )}
      <ResourceList<Model>
        name="flow.model"
        title={t('flow.models')}
        load={load}
        columns={columns}
        filters={filters}
        inline={5}
        action={
          <>
            {!phone && may('flow_manager_deploy') && (
              <Button icon={<UploadOutlined />} onClick={() => setOpen({ kind: 'upload' })}>
                {t('flow.upload.act')}
              </Button>
            )}
            {create}
          </>
        }
        card={(row) => ({
          title: row.name,
          state: state(row),
          meta: [
            [row.key, row.categoryName, row.deployed && t('work.version', { n: row.deployed.version })]
              .filter(Boolean)
              .join(' · '),
            <Counts key="counts" row={row} model={row} />,
          ],
        })}
        onOpen={(row) => setOpen({ kind: 'versions', model: row })}
        rowActions={rowActions}
        folds
        empty={{ title: t('flow.empty.models'), hint: t('flow.empty.modelsHint'), action: create }}
      />
      {open?.kind === 'create' && <CreateForm onClose={close} />}
      {open?.kind === 'upload' && <UploadDrawer onClose={close} />}
      {open?.kind === 'versions' && model && <VersionsDrawer model={model} onClose={close} />}
      {open?.kind === 'copy' && model && (
        <CreateForm copied={{ model, reference: newest(model) as Reference }} onClose={close} />
      )}
      {open?.kind === 'deploy' && model?.draft && (
        <DeployForm
          draft={{ id: model.draft.id, modelKey: model.key, name: model.name, category: model.category }}
          onClose={close}
        />
      )}
      {open?.kind === 'state' && model?.deployed && <StateForm version={model.deployed} onClose={close} />}
      {open?.kind === 'remove' && model && (
        <RemoveForm
          title={t('flow.remove.title', { name: model.name })}
          model={model.key}
          draft={may('flow_model_delete') ? (model.draft ?? undefined) : undefined}
          versions={may('flow_manager_remove') && model.deployed !== null}
          onClose={close}
        />
      )}
    </>
  );
}
