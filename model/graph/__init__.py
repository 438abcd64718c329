"""The model as a graph that runs without torch: ONNX for the browser, its description and its tokenizer."""
