/** A model's life: what was deployed of it, and its draft as it was saved; to look at, to compare, to take back. */
import { Button } from 'antd';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import { useTranslation } from '@/i18n';
import { Drawer } from '@/kit/overlays';
import { ErrorState, PageSkeleton } from '@/kit/states';
import { useOpener } from '@/kit/useOpener';
import { usePhone } from '@/kit/width';
import { useCan } from '@/session/rights';
import { DrawingView } from './DrawingView';
import { comparePath, type Model, type Reference, referenceText, useDraft, useVersions } from './queries';
import { RestoreForm } from './RestoreForm';
import { DeployedVersions, type Looks, SavedVersions } from './versions';

interface Open {
  kind: 'look' | 'restore';
  reference: Reference;
  title: string;
}

interface VersionsDrawerProps {
  model: Pick<Model, 'key' | 'name' | 'category' | 'draft'>;
  onClose: () => void;
}

export function VersionsDrawer({ model, onClose }: VersionsDrawerProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const phone = usePhone();
  useOpener();
  const mayDraw = useCan(model.draft ? 'flow_model_update' : 'flow_model_create');
  const seesDeployed = useCan('flow_manager_view');
  const versions = useVersions(seesDeployed ? model.key : '');
  const draft = useDraft(model.draft?.id ?? '');
  const [chosen, setChosen] = useState<readonly Reference[]>([]);
  const [open, setOpen] = useState<Open>();

  const same = (one: Reference, other: Reference) => referenceText(one) === referenceText(other);
  const canCompare = (versions.data?.length ?? 0) + (draft.data?.history.length ?? 0) > 1;
  const looks: Looks = {
    canCompare,
    isChosen: (reference) => chosen.some((one) => same(one, reference)),
    // The third takes the place of the first.
    choose: (reference, on) =>
      setChosen((before) => {
        const others = before.filter((one) => !same(one, reference));
        return on ? [...others, reference].slice(-2) : others;
      }),
    look: (reference, title) => setOpen({ kind: 'look', reference, title }),
    restore: mayDraw ? (reference, title) => setOpen({ kind: 'restore', reference, title }) : undefined,
  };
  const [first, second] = chosen;
  const compare = () => {
    if (!first || !second) return;
    // The older one at the left, and what is deployed before what is drawn.
    const age = (one: Reference) =>
      one.kind === 'draft'
        ? (one.version ?? Number.POSITIVE_INFINITY)
        : -1 - (versions.data ?? []).findIndex((row) => row.id === one.id);
    const [from, to] = age(first) <= age(second) ? [first, second] : [second, first];
    navigate(comparePath(model.key, model.draft?.id, from, to));
  };

  const loading = (model.draft && !draft.data) || (seesDeployed && !versions.data);
  const error = loading ? (draft.error ?? versions.error) : null;
  const retry = () => {
    draft.refetch();
    versions.refetch();
  };
  return (
    <Drawer
      open
      title={t('flow.history.title', { name: model.name })}
      size={phone ? '100%' : 720}
      onClose={onClose}
      footer={
        canCompare && (
          <div className="x-bar">
            <span className="x-quiet" role="status">
              {t('flow.history.chosen', { n: chosen.length })}
            </span>
            <Button type="primary" disabled={!first || !second} onClick={compare}>
              {t('flow.act.compare')}
            </Button>
          </div>
        )
      }
    >
      {error && <ErrorState error={error} retry={retry} />}
      {!error && loading && <PageSkeleton rows={6} />}
      {!loading && (
        <>
          {versions.data && <DeployedVersions rows={versions.data} looks={looks} />}
          <SavedVersions draft={draft.data} looks={looks} />
        </>
      )}
      {open?.kind === 'look' && (
        <DrawingView title={open.title} reference={open.reference} onClose={() => setOpen(undefined)} />
      )}
      {open?.kind === 'restore' && (
        <RestoreForm
          model={model}
          reference={open.reference}
          title={open.title}
          read={draft.data?.version}
          onClose={() => setOpen(undefined)}
        />
      )}
    </Drawer>
  );
}
