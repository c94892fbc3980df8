/** Skipping a step of a process or moving its token; what would be cancelled and what would wait is shown before. */
import { type ReactNode, useState } from 'react';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { ConfirmDialog } from '@/kit/ConfirmDialog';
import { FormDrawer } from '@/kit/FormDrawer';
import { SelectField, TextAreaField } from '@/kit/fields';
import { TOUCHES } from './followState';

export type ByHand = 'skip' | 'move';
type Token = Wire<'Token'>;
type Step = Wire<'StepShown'>;

interface Way {
  node: string;
  /** Of a step that is skipped, '' where it has one way on; of a token that is moved, where to. */
  to: string;
  label: string;
}
interface Given {
  /** Place among the ways. */
  way: string;
  reason: string;
}
interface Preview {
  kind: ByHand;
  way: Way;
  reason: string;
  answer: Wire<'Moved'>;
}

const PATHS = { skip: '/blade-flow/follow/skip-element', move: '/blade-flow/follow/move-token' } as const;

export function isByHand(kind: string): kind is ByHand {
  return kind in PATHS;
}

function waysOf(kind: ByHand, tokens: readonly Token[]): Way[] {
  if (kind === 'skip')
    return tokens
      .filter(({ skips }) => skips)
      .flatMap(({ node, name, outcomes }) =>
        outcomes.length === 0
          ? [{ node, to: '', label: name }]
          : outcomes.map(({ value, label }) => ({ node, to: value, label: `${name} · ${label}` })),
      );
  return tokens.flatMap(({ node, name, targets }) =>
    targets.map((target) => ({ node, to: target.node, label: `${name} → ${target.name}` })),
  );
}

/** Of the process with this id. */
export function useByHand(id: string, tokens: readonly Token[]) {
  const { t } = useTranslation();
  const [kind, setKind] = useState<ByHand>();
  const [preview, setPreview] = useState<Preview>();
  const send = (act: ByHand, { node, to }: Way, reason: string, isPreview: boolean) =>
    api.post(PATHS[act], {
      processInstanceId: id,
      node,
      ...(act === 'skip' ? { outcome: to } : { to }),
      reason,
      isPreview,
    });

  const ways = kind ? waysOf(kind, tokens) : [];
  const dialogs = (
    <>
      {kind && (
        <FormDrawer<Given, Preview>
          title={t(`flow.${kind}.title`)}
          size="small"
          note={t(`flow.${kind}.will`)}
          submitText={t('flow.bulk.preview')}
          initial={ways.length === 1 ? { way: '0' } : {}}
          submit={async ({ way: place, reason }) => {
            const way = ways[Number(place)] as Way;
            return { kind, way, reason, answer: await send(kind, way, reason, true) };
          }}
          onDone={setPreview}
          onClose={() => setKind(undefined)}
        >
          <SelectField
            name="way"
            label={t(`flow.${kind}.way`)}
            options={ways.map(({ label }, place) => ({ value: String(place), label }))}
            required
          />
          <TextAreaField name="reason" label={t('work.hand.reason')} required max={200} />
        </FormDrawer>
      )}
      {preview && (
        <ConfirmDialog
          title={t(`flow.${preview.kind}.what`, { way: preview.way.label })}
          okText={t(`flow.act.${preview.kind}`)}
          run={() => send(preview.kind, preview.way, preview.reason, false)}
          invalidates={TOUCHES}
          onClose={() => setPreview(undefined)}
        >
          <Change answer={preview.answer} />
        </ConfirmDialog>
      )}
    </>
  );
  return { open: setKind, dialogs };
}

/** What a step by hand would do. */
function Change({ answer }: { answer: Wire<'Moved'> }) {
  const { t } = useTranslation();
  const people = (steps: readonly Step[]) =>
    steps.map(({ name, assigneeName }) => [name, assigneeName].filter(Boolean).join(' · '));
  const rows: [string, readonly string[]][] = [
    [t('flow.change.cancelled'), people(answer.cancelled)],
    [t('flow.change.opened'), answer.isFinished ? [t('flow.change.finished')] : people(answer.opened)],
    [t('flow.change.stays'), people(answer.stays)],
    [t('flow.change.timersEnded'), answer.timersEnded],
    [t('flow.change.timersStarted'), answer.timersStarted],
    [t('flow.change.operations'), answer.operations],
  ];
  return (
    <dl className="x-change">
      {rows
        .filter(([, names]) => names.length > 0)
        .map(
          ([title, names]): ReactNode => [
            <dt key={title}>{title}</dt>,
            <dd key={`${title} names`}>{names.join(t('flow.change.and'))}</dd>,
          ],
        )}
    </dl>
  );
}
