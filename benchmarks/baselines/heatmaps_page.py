"""The plain Streamlit page of an attention demo: torch, and a plotly heatmap for each of eight heads."""

import plotly.graph_objects as go
import streamlit as st
import torch

HEADS, TOKENS = 8, 10

st.title("Attention")
torch.manual_seed(0)
weights = torch.randn(HEADS, TOKENS, TOKENS).softmax(-1).numpy()
columns = [column for _ in range(2) for column in st.columns(4)]
for head, column in enumerate(columns):
    with column:
        st.plotly_chart(go.Figure(go.Heatmap(z=weights[head], zmin=0, zmax=1)), key=f"head_{head}")
