"""What only the models of other engines (Flowable, Activiti, Camunda 7) need: their words, scripts and files."""
