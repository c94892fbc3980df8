/** Somebody saved in between: four ways to go on, none of which loses anything. */
import { Button, Form, Input, Modal } from 'antd';
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useNavigate } from 'react-router';
import { api } from '@/api/client';
import type { Wire } from '@/api/wire';
import { useTranslation } from '@/i18n';
import { ErrorLine, PageSkeleton } from '@/kit/states';
import { useAction } from '@/kit/useAction';
import { save } from '@/lib/save';
import { xmlOf } from '../canvas/drawing';
import { useDesigner } from '../context';
import { contentOf, underKey } from '../saving/content';
import { type Saver, type Stale, saveAsNew } from '../saving/Saver';
import { MAX_NOTE } from './SaveDialog';

const Compare = lazy(() =>
  import('@/workflow/compare/Compare').then(({ Compare }) => ({ default: Compare })),
);

interface ConflictDialogProps {
  saver: Saver;
  stale: Stale;
  draft: Wire<'ModelDetail'>;
  onClose: () => void;
}

export default function ConflictDialog({ saver, stale, draft, onClose }: ConflictDialogProps) {
  const { t } = useTranslation();
  const { drawing } = useDesigner();
  const navigate = useNavigate();
  const [both, setBoth] = useState<{ mine: string; theirs: string }>();
  const [key, setKey] = useState(`${draft.modelKey}_2`);
  const [note, setNote] = useState('');
  const theirs = () => api.get('/blade-flow/model/detail', { id: draft.id });

  const compare = useAction({
    run: async () => setBoth({ mine: await xmlOf(drawing), theirs: (await theirs()).xml }),
  });
  const asNew = useAction({
    run: async () => {
      const content = await underKey(drawing, await contentOf(drawing, draft.name), key.trim());
      const id = await saveAsNew(content, t('designer.conflict.copied', { version: saver.version }));
      saver.settled();
      return id;
    },
    onDone: (id) => navigate(`/flow/model/design/${id}`),
  });
  const take = useAction({
    run: async () => {
      const [mine, found] = await Promise.all([xmlOf(drawing), theirs()]);
      save({ blob: new Blob([mine], { type: 'application/xml' }), name: `${draft.modelKey}.bpmn` });
      await drawing.importXML(found.xml);
      saver.goOnFrom(found.version);
      saver.settled();
    },
    onDone: onClose,
  });
  const over = useAction({
    run: async () => {
      const state = await saver.overwrite(stale, note.trim());
      if (state.kind === 'refused' || state.kind === 'offline') throw state.error;
    },
    onDone: onClose,
  });

  return (
    <Modal
      open
      centered
      width={both ? '94vw' : 640}
      title={t('designer.conflict.title')}
      footer={null}
      onCancel={onClose}
    >
      <p>
        {t('designer.conflict.what', {
          who: stale.userName,
          time: stale.time,
          theirs: stale.version,
          mine: saver.version,
        })}
      </p>
      {both && (
        <Suspense fallback={<PageSkeleton />}>
          <Compare
            before={both.theirs}
            after={both.mine}
            beforeTitle={t('designer.conflict.theirs', { who: stale.userName, version: stale.version })}
            afterTitle={t('designer.conflict.mine')}
          />
        </Suspense>
      )}
      <div className="x-designer-ways">
        <Way
          title={t('designer.conflict.compare')}
          hint={t('designer.conflict.compareHint')}
          error={compare.error}
        >
          <Button loading={compare.busy} onClick={() => compare.run()}>
            {t('designer.conflict.compare')}
          </Button>
        </Way>
        <Way title={t('designer.conflict.asNew')} hint={t('designer.conflict.asNewHint')} error={asNew.error}>
          <Form.Item label={t('designer.conflict.key')} htmlFor="conflict-key">
            <Input
              id="conflict-key"
              value={key}
              maxLength={60}
              onChange={(event) => setKey(event.target.value)}
            />
          </Form.Item>
          <Button loading={asNew.busy} disabled={!key.trim()} onClick={() => asNew.run()}>
            {t('designer.conflict.asNew')}
          </Button>
        </Way>
        <Way title={t('designer.conflict.take')} hint={t('designer.conflict.takeHint')} error={take.error}>
          <Button loading={take.busy} onClick={() => take.run()}>
            {t('designer.conflict.take')}
          </Button>
        </Way>
        <Way title={t('designer.conflict.over')} hint={t('designer.conflict.overHint')} error={over.error}>
          <Form.Item label={t('designer.conflict.why')} htmlFor="conflict-note">
            <Input
              id="conflict-note"
              value={note}
              maxLength={MAX_NOTE}
              onChange={(event) => setNote(event.target.value)}
            />
          </Form.Item>
          <Button danger loading={over.busy} disabled={!note.trim()} onClick={() => over.run()}>
            {t('designer.conflict.over')}
          </Button>
        </Way>
      </div>
    </Modal>
  );
}

interface WayProps {
  title: string;
  hint: string;
  error: unknown;
  children: ReactNode;
}

function Way({ title, hint, error, children }: WayProps) {
  return (
    <section>
      <h3>{title}</h3>
      <p>{hint}</p>
      {children}
      <ErrorLine error={error} />
    </section>
  );
}
