/** The head: which draft it is, whether it is saved, what is wrong with it, and what can be done with it. */
import { MoreOutlined } from '@ant-design/icons';
import { Button, Dropdown } from 'antd';
import { useEffect } from 'react';
import { Link } from 'react-router';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { ToneTag } from '@/kit/StateTag';
import { save } from '@/lib/save';
import { useRights } from '@/session/rights';
import { LevelTag } from '../../LevelTag';
import { processOf, xmlOf } from '../canvas/drawing';
import { nameOf } from '../canvas/names';
import type { Offer } from '../canvas/offer';
import { useDesigner } from '../context';
import { counts } from '../lint/words';
import { useCatalogue } from '../panel/catalogue';
import type { State } from '../saving/Saver';
import { SavingMark } from './SavingMark';
import { DrawingTools, LookingTools } from './Tools';

export type Dialog = 'keys' | 'import' | 'save' | 'deploy' | 'conflict';

interface HeadProps {
  draft: Wire<'ModelDetail'>;
  version: number;
  /** The version that was deployed just now. */
  deployed: number | undefined;
  state: State;
  isFull: boolean;
  onFull: () => void;
  onDialog: (dialog: Dialog) => void;
}

export function Head({ draft, version, deployed, state, isFull, onFull, onDialog }: HeadProps) {
  const { t } = useTranslation();
  const { drawing, readOnly } = useDesigner();
  const may = useRights();
  useOffer();
  const process = processOf(drawing);
  return (
    <header className="x-designer-head">
      <div className="x-designer-title">
        <h1>{(process && nameOf(process)) || draft.name}</h1>
        <span>
          {process?.id ?? draft.modelKey} ·{' '}
          {draft.id === '' ? t('designer.head.noDraft') : t('designer.head.version', { version })}
          {deployed !== undefined && (
            <>
              {' · '}
              <Link to={`/flow/manager?key=${draft.modelKey}`}>
                {t('designer.head.deployed', { version: deployed })}
              </Link>
            </>
          )}
        </span>
      </div>
      {readOnly ? (
        <ToneTag tone="quiet">{t('designer.readOnly')}</ToneTag>
      ) : (
        <SavingMark state={state} onConflict={() => onDialog('conflict')} />
      )}
      <Count />
      <DrawingTools />
      <LookingTools isFull={isFull} onFull={onFull} onKeys={() => onDialog('keys')} />
      <div className="x-designer-acts">
        <More draft={draft} onDialog={onDialog} />
        {!readOnly && <Button onClick={() => onDialog('save')}>{t('designer.head.save')}</Button>}
        {!readOnly && may('flow_model_deploy') && (
          <Button type="primary" onClick={() => onDialog('deploy')}>
            {t('designer.head.deploy')}
          </Button>
        )}
      </div>
    </header>
  );
}

/** Palette and menus offer what this process can run. */
function useOffer(): void {
  const { drawing, readOnly } = useDesigner();
  const catalogue = useCatalogue();
  useEffect(() => {
    if (catalogue && !readOnly) drawing.get<Offer>('offer').limit(catalogue);
  }, [drawing, readOnly, catalogue]);
}

/** How many problems there are; opens the list. */
function Count() {
  const { t } = useTranslation();
  const { problems, drawer, openDrawer } = useDesigner();
  if (!problems) return null;
  const { errors, warnings } = counts(problems);
  return (
    <button
      type="button"
      className="x-designer-count"
      aria-expanded={drawer === 'problems'}
      onClick={() => openDrawer(drawer === 'problems' ? undefined : 'problems')}
    >
      {errors + warnings === 0 ? (
        <ToneTag tone="good">{t('designer.problems.none')}</ToneTag>
      ) : (
        <LevelTag level={errors > 0 ? 'error' : 'warning'}>
          {t('designer.problems.count', { errors, warnings })}
        </LevelTag>
      )}
    </button>
  );
}

function More({ draft, onDialog }: { draft: Wire<'ModelDetail'>; onDialog: (dialog: Dialog) => void }) {
  const { t } = useTranslation();
  const { drawing, readOnly } = useDesigner();
  const file = (text: string, type: string, ending: string) =>
    save({ blob: new Blob([text], { type }), name: `${draft.modelKey}.${ending}` });
  const items = [
    ...(readOnly
      ? []
      : [{ key: 'import', label: t('designer.head.import'), onClick: () => onDialog('import') }]),
    {
      key: 'bpmn',
      label: t('designer.head.bpmn'),
      onClick: async () => file(await xmlOf(drawing), 'application/xml', 'bpmn'),
    },
    {
      key: 'svg',
      label: t('designer.head.svg'),
      onClick: async () => file((await drawing.saveSVG()).svg, 'image/svg+xml', 'svg'),
    },
    { type: 'divider' as const },
    ...(draft.id === ''
      ? []
      : [
          {
            key: 'compare',
            label: (
              <Link to={`/flow/model/compare?key=${draft.modelKey}&draft=${draft.id}&to=draft`}>
                {t('designer.head.compare')}
              </Link>
            ),
          },
        ]),
    {
      key: 'history',
      label: <Link to={`/flow/model?key=${draft.modelKey}`}>{t('designer.head.history')}</Link>,
    },
  ];
  return (
    <Dropdown menu={{ items }} trigger={['click']}>
      <Button icon={<MoreOutlined />} aria-label={t('designer.head.more')}>
        {t('designer.head.more')}
      </Button>
    </Dropdown>
  );
}
