"""The names of BPMN's elements by what they are, and the attributes of other engines that are read as ours."""

GATEWAYS = {"exclusiveGateway", "parallelGateway", "inclusiveGateway"}
JOINS = {"parallelGateway", "inclusiveGateway"}
CHOICES = {"exclusiveGateway", "inclusiveGateway"}
MESSAGE_TASKS = {"sendTask", "receiveTask"}
ACTIVITIES = {"userTask", "serviceTask", "task", "manualTask", "subProcess", "scriptTask"} | MESSAGE_TASKS
EVENTS = {"startEvent", "endEvent", "boundaryEvent", "intermediateCatchEvent", "intermediateThrowEvent"}
NODES = GATEWAYS | ACTIVITIES | EVENTS

BODY, CALLED, HANDLER = "body", "calledProcess", "handler"
"""Attributes of what nobody drew: a scope without its event sub-processes; a called process; the event that begins one
of the event sub-processes."""
GIVEN, RETURNED = "given", "returned"
"""Elements of a called process that nobody drew: a value that its call gives it, and one that its caller gets."""
AGGREGATE = "aggregate"
"""Element of a loop that nobody drew: a value that each loop instance adds to a list."""
CODE_VARIABLE = "codeVariable"
"""Attribute of an error or escalation that is caught: the variables that its code goes to."""
BEFORE, BEHIND = "before", "behind"
"""Elements of a node or flow that nobody drew: a script that runs before it, and one that runs behind it, or on the
flow."""
OF_TASK = "ofTask"
"""Attribute of such a script: it belongs to a task, which it may ask for variables."""
EXECUTION_LISTENER = "executionListener"
"""Element of other engines: what happens where the process, a node or a flow begins or ends."""
LOOP = "multiInstanceLoopCharacteristics"

# Attributes of Flowable, Activiti and Camunda 7 that are read as ours.
VENDOR_ATTRIBUTES = ("assignee", "candidateUsers", "candidateGroups", "formKey", "initiator")
PROCESS_ATTRIBUTES = ("candidateStarterGroups", "candidateStarterUsers")
LOOP_ATTRIBUTES = ("collection", "elementVariable")
FIELD_ELEMENTS = ("formProperty", "formField")
"""Elements of other engines for a form field, Camunda's inside of a `formData`; `workflows.forms` checks them."""

MAX_ID = 80
MAX_MESSAGE_NAME = 100
EVERYBODY = "*"
"""The key under which signals are thrown and waited for."""
