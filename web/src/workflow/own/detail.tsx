/** A process of the company's own as the lists of what one has started or done open it. */
import { useState } from 'react';
import { useNavigate, useParams } from 'react-router';
import { useTranslation } from '@/i18n';
import type { DocumentAction } from '@/kit/DocumentPage';
import { HandForm } from '../HandForm';
import { TOUCHED } from '../queries';
import { OwnDocument } from './OwnDocument';
import { useProcess } from './queries';

export default function OwnProcess() {
  const { processInstanceId = '' } = useParams();
  return <Process key={processInstanceId} id={processInstanceId} />;
}

/** What one may still do with it: take back what one has just completed, or start what one has withdrawn once more. */
function Process({ id }: { id: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { data: detail } = useProcess(id);
  const [taking, setTaking] = useState(false);
  const { takeBackTaskId: taskId = '', startAgainId: startId = '' } = detail ?? {};
  const actions: DocumentAction[] = [];
  if (taskId)
    actions.push({ key: 'takeBack', label: t('work.hand.takeBack'), onClick: () => setTaking(true) });
  if (startId)
    actions.push({
      key: 'startAgain',
      label: t('work.back.startAgain'),
      kind: 'main',
      onClick: () => navigate(`/work/process/own/form/${startId}?from=${id}`),
    });
  return (
    <>
      <OwnDocument id={id} parent="/work/send" actions={actions} />
      {taking && detail && (
        <HandForm
          hand="takeBack"
          task={{ taskId, processInstanceId: id, title: detail.title }}
          touches={TOUCHED}
          onClose={() => setTaking(false)}
        />
      )}
    </>
  );
}
