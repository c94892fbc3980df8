/** The designer: canvas in the middle, properties at the right, what is said of the drawing below. */
import 'bpmn-js/dist/assets/diagram-js.css';
import 'bpmn-js/dist/assets/bpmn-js.css';
import 'bpmn-js/dist/assets/bpmn-font/css/bpmn.css';
import 'diagram-js-minimap/assets/diagram-js-minimap.css';
import '../diagram.css';
import './designer.css';
import { Alert } from 'antd';
import { type KeyboardEvent, lazy, Suspense, useCallback, useEffect, useMemo, useState } from 'react';
import { useLanguage, useTranslation } from '@/i18n';
import { usePhone } from '@/kit/width';
import { useCan } from '@/session/rights';
import { canBeDrawn, processOf, selectIn } from './canvas/drawing';
import { type Designer as Context, DesignerContext, type DrawerTab } from './context';
import { Drawer } from './Drawer';
import { type Dialog, Head } from './head/Head';
import KeptDialog from './head/KeptDialog';
import { useLint } from './lint/useLint';
import { useMarkers } from './lint/useMarkers';
import { Side } from './panel/Side';
import { drop, keptOf } from './saving/kept';
import { type Opened, useSaving } from './saving/useSaving';
import { useDrawing } from './useDrawing';

const DeployForm = lazy(async () => ({
  default: (await import('@/workflow/deploy/DeployForm')).DeployForm,
}));
const ConflictDialog = lazy(() => import('./head/ConflictDialog'));
const ImportDialog = lazy(() => import('./head/ImportDialog'));
const KeysDialog = lazy(() => import('./head/KeysDialog'));
const SaveDialog = lazy(() => import('./head/SaveDialog'));

export default function Designer({ draft: opened }: { draft: Opened }) {
  const { t } = useTranslation();
  const language = useLanguage();
  const mayDraw = useCan('flow_model_update');
  // As the page was opened: a window that is made narrow must not take the pen away.
  const phone = usePhone();
  const [small] = useState(phone);
  const { frame, drawing, selected, chosen, changes, failed } = useDrawing(
    opened.xml,
    !mayDraw || small,
    language,
  );
  const readOnly = !drawing || !canBeDrawn(drawing);
  const { saver, state } = useSaving(readOnly ? undefined : drawing, opened);
  // The first change of a model without a draft makes one.
  const draft = { ...opened, id: saver?.id ?? opened.id };
  const problems = useLint(drawing, changes, (xml) => saver?.keep(xml));
  const [drawer, openDrawer] = useState<DrawerTab>();
  const [dialog, setDialog] = useState<Dialog>();
  const [deployed, setDeployed] = useState<number>();
  const [isFull, setFull] = useState(false);
  const [kept, setKept] = useState(() => {
    const found = opened.id === '' ? undefined : keptOf(opened.id);
    return found?.xml === opened.xml ? undefined : found;
  });

  const select = useCallback((id: string) => drawing && selectIn(drawing, id), [drawing]);
  const showProblems = useCallback(
    (id: string) => {
      select(id);
      openDrawer('problems');
    },
    [select],
  );
  useMarkers(drawing, problems, language, showProblems);
  useEffect(() => {
    if (state.kind === 'conflict') setDialog('conflict');
  }, [state.kind]);

  const context = useMemo<Context | undefined>(
    () =>
      drawing && {
        drawing,
        selected,
        chosen,
        changes,
        language,
        readOnly,
        problems,
        select,
        drawer,
        openDrawer,
      },
    [drawing, selected, chosen, changes, language, readOnly, problems, select, drawer],
  );

  /** To the next problem of the list, or the one before. */
  const goRound = (step: number) => {
    if (!problems?.length || !selected) return;
    const elements = [...new Set(problems.map(({ element }) => element))];
    const at = elements.indexOf(selected.id);
    showProblems(elements[(at + step + elements.length) % elements.length] ?? '');
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { target, currentTarget } = event;
    const typing = target instanceof HTMLElement && target.matches('input, textarea, [contenteditable]');
    // Dialogs are not in the frame, though what is pressed in them is told here too.
    const isHere = target instanceof Node && currentTarget.contains(target);
    if ((event.ctrlKey || event.metaKey) && event.key === 's') saver?.save();
    else if (event.key === 'F8' && isHere) goRound(event.shiftKey ? -1 : 1);
    else if (event.key === '?' && isHere && !typing) setDialog('keys');
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const close = () => setDialog(undefined);
  /** What is deployed is the draft as it is stored: it is saved first. */
  const openDialog = async (asked: Dialog) => {
    if (asked !== 'deploy' || (await saver?.saveToDeploy())?.kind === 'saved') setDialog(asked);
  };

  return (
    <section
      className={isFull ? 'x-designer x-designer-full' : 'x-designer'}
      aria-label={t('designer.label')}
      onKeyDown={onKeyDown}
    >
      {context && (
        <DesignerContext value={context}>
          <Head
            draft={draft}
            version={saver?.version ?? draft.version}
            deployed={deployed}
            state={state}
            isFull={isFull}
            onFull={() => setFull(!isFull)}
            onDialog={openDialog}
          />
        </DesignerContext>
      )}
      {small && <Alert type="info" banner closable title={t('designer.small')} />}
      {Boolean(failed) && <Alert type="error" showIcon title={t('designer.failed')} />}
      <div className="x-designer-body">
        <div ref={frame} className="x-designer-canvas x-paper" />
        {context && !phone && (
          <DesignerContext value={context}>
            <Side />
          </DesignerContext>
        )}
      </div>
      {context && (
        <DesignerContext value={context}>
          <Drawer />
          <Suspense>
            {dialog === 'keys' && <KeysDialog onClose={close} />}
            {dialog === 'import' && saver && <ImportDialog saver={saver} onClose={close} />}
            {dialog === 'save' && saver && <SaveDialog saver={saver} onClose={close} />}
            {dialog === 'deploy' && (
              <DeployForm
                draft={{ ...draft, modelKey: processOf(context.drawing)?.id ?? draft.modelKey }}
                onDone={({ files }) => setDeployed(files[0]?.definitions[0]?.version)}
                onClose={close}
              />
            )}
            {dialog === 'conflict' && saver && state.kind === 'conflict' && (
              <ConflictDialog saver={saver} stale={state.stale} draft={draft} onClose={close} />
            )}
          </Suspense>
        </DesignerContext>
      )}
      {kept && drawing && saver && (
        <KeptDialog
          kept={kept}
          version={draft.version}
          file={`${draft.modelKey}.bpmn`}
          onTake={async () => {
            await drawing.importXML(kept.xml);
            saver.goOnFrom(kept.version);
            saver.changed();
            setKept(undefined);
          }}
          onDrop={() => {
            drop(draft.id);
            setKept(undefined);
          }}
        />
      )}
    </section>
  );
}
