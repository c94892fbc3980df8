/** The two lists of a model's versions: what was deployed, and what was saved of the draft. */
import { Button, Checkbox } from 'antd';
import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { type RowAction, RowActions } from '@/kit/ResourceList';
import { ToneTag } from '@/kit/StateTag';
import { moment } from '@/lib/dates';
import { Counts } from './Counts';
import { type Definition, type Reference, timesPath, type Version } from './queries';
import { isActive } from './StateForm';

export function VersionState({ version }: { version: Pick<Definition, 'suspensionState' | 'isHalted'> }) {
  const { t } = useTranslation();
  if (isActive(version)) return <ToneTag tone="good">{t('flow.active')}</ToneTag>;
  return <ToneTag tone="waiting">{t(version.isHalted ? 'flow.halted' : 'flow.suspended')}</ToneTag>;
}

/** The mark of the version that starts take. */
export function InForce() {
  const { t } = useTranslation();
  return <ToneTag tone="active">{t('flow.history.inForce')}</ToneTag>;
}

/** What the lists let one do with a drawing. */
export interface Looks {
  /** Whether there are two. */
  canCompare: boolean;
  isChosen: (reference: Reference) => boolean;
  choose: (reference: Reference, on: boolean) => void;
  look: (reference: Reference, title: string) => void;
  /** Left out for whom may not draw. */
  restore?: (reference: Reference, title: string) => void;
}

interface EntryProps {
  reference: Reference;
  title: string;
  state?: ReactNode;
  by: string;
  note?: string;
  looks: Looks;
  /** Is what one has anyway: the draft as it stands, or the version in force. */
  isNow?: boolean;
  more?: readonly RowAction[];
  children?: ReactNode;
}

function Entry({ reference, title, state, by, note, looks, isNow, more = [], children }: EntryProps) {
  const { t } = useTranslation();
  const { restore } = looks;
  const actions: RowAction[] = [
    { key: 'look', label: t('kit.view'), onClick: () => looks.look(reference, title) },
    ...(restore && !isNow
      ? [{ key: 'restore', label: t('flow.restore.act'), onClick: () => restore(reference, title) }]
      : []),
    ...more,
  ];
  return (
    <li>
      {looks.canCompare ? (
        <Checkbox
          checked={looks.isChosen(reference)}
          aria-label={t('flow.history.choose', { name: title })}
          onChange={(event) => looks.choose(reference, event.target.checked)}
        />
      ) : (
        <span />
      )}
      <div>
        <div className="x-version-title">
          <strong>{title}</strong> {state}
        </div>
        <div className="x-quiet">{by}</div>
        {note && <div>{note}</div>}
        {children}
      </div>
      <RowActions actions={actions} />
    </li>
  );
}

export function DeployedVersions({ rows, looks }: { rows: readonly Version[]; looks: Looks }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  return (
    <section aria-labelledby="versions-deployed">
      <h2 id="versions-deployed" className="x-versions-title">
        {t('flow.history.deployed')}
      </h2>
      {rows.length === 0 && <p className="x-quiet">{t('flow.history.neverDeployed')}</p>}
      <ul className="x-versions">
        {rows.map((row) => (
          <Entry
            key={row.id}
            reference={{ kind: 'deployed', id: row.id }}
            title={`${t(row.tenantId ? 'work.ownModel' : 'work.general')} · ${t('work.version', { n: row.version })}`}
            state={
              <>
                {row.isInForce && <InForce />}
                <VersionState version={row} />
              </>
            }
            by={`${row.deployUserName || t('work.story.system')} · ${moment(row.deploymentTime)}`}
            note={row.note}
            isNow={row.isInForce}
            looks={looks}
            more={[
              {
                key: 'times',
                label: t('flow.act.times'),
                onClick: () => navigate(timesPath(row.key, row.id)),
              },
            ]}
          >
            <Counts row={row} model={{ key: row.key, processId: row.id }} />
          </Entry>
        ))}
      </ul>
    </section>
  );
}

export function SavedVersions({ draft, looks }: { draft: Wire<'ModelDetail'> | undefined; looks: Looks }) {
  const { t } = useTranslation();
  const [all, setAll] = useState(false);
  const history = draft?.history ?? [];
  // The newest is the draft itself, however it was saved.
  const shown = all ? history : history.filter(({ isAutomatic }, index) => index === 0 || !isAutomatic);
  const hidden = history.length - shown.length;
  return (
    <section aria-labelledby="versions-saved">
      <h2 id="versions-saved" className="x-versions-title">
        {t('flow.history.saved')}
      </h2>
      {!draft && <p className="x-quiet">{t('flow.history.noDraft')}</p>}
      <ul className="x-versions">
        {shown.map((row) => (
          <Entry
            key={row.version}
            reference={{ kind: 'draft', id: draft?.id ?? '', version: row.version }}
            title={t('flow.history.draft', { n: row.version })}
            state={row.version === draft?.version && <ToneTag tone="active">{t('flow.history.now')}</ToneTag>}
            by={`${row.userName} · ${moment(row.time)}`}
            note={row.note || (row.isAutomatic ? t('flow.history.automatic') : '')}
            looks={looks}
            isNow={row.version === draft?.version}
          />
        ))}
      </ul>
      {(hidden > 0 || all) && (
        <Button type="link" aria-expanded={all} onClick={() => setAll(!all)}>
          {all ? t('flow.history.fold') : t('flow.history.unfold', { count: hidden })}
        </Button>
      )}
    </section>
  );
}
